// How a route tells the front what Content-Length to send; clients never see it.
export const LENGTH_HEADER = "x-switchyard-length";
