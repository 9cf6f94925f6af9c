// How many reads the browser puts into one request, and how many the server takes: both sides must agree.

export const batchMax = 20;
