// Why a query cannot be read, and where: it is never run as something else.

/** `column` counts from 1. */
export type QueryFault = { column: number; message: string };

/** Thrown while reading; parse-query.ts turns it into a value. */
export class FaultAt extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
    this.name = "FaultAt";
  }
}

/** `column 14: unknown field "autor"; did you mean "author"?` */
export const faultText = ({ column, message }: QueryFault): string => `column ${column}: ${message}`;
