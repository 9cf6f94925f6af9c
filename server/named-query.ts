// A prepared statement that has answered before, asked again on its connection. What its rows look like is known by then and cannot change,
// so the server is not asked for it, and the rows are read by a function that is made for them: the driver reads the description again each
// time and makes rows of a shape of their own for each answer, which nothing that reads them can be optimised for.
import pg from "pg";

type Field = { name: string; format: string; dataTypeID: number };
type Parser = (text: string) => unknown;
type RowOf = (data: readonly (string | null)[], parsers: readonly Parser[]) => object;
/** What the driver's result knows of its rows. */
type Shape = { fields: Field[]; _parsers: Parser[]; parseRow: (data: readonly (string | null)[]) => object };
export type Shapes = Map<string, Shape>;

export type Answered = (error: Error | null, result?: pg.QueryResult) => void;

/** The driver's, as far as they are used here. */
type Connection = { parsedStatements: Record<string, unknown> };
declare class DriverQuery {
  constructor(config: pg.QueryConfig, values: undefined, callback: Answered);
  name: string;
  _result: Shape;
  _accumulateRows: boolean;
  prepare(connection: Connection): void;
  handleRowDescription(message: { fields: Field[] }): void;
}

export class NamedQuery extends (pg.Query as unknown as typeof DriverQuery) {
  readonly #shapes: Shapes;

  constructor(config: pg.QueryConfig, shapes: Shapes, callback: Answered) {
    super(config, undefined, callback);
    this.#shapes = shapes;
  }

  override prepare(connection: Connection): void {
    const shape = this.#shapes.get(this.name);
    if (shape && connection.parsedStatements[this.name] !== undefined) {
      Object.assign(this._result, shape);
      this._accumulateRows = true;
      super.prepare(undescribed(connection));
    } else super.prepare(connection);
  }

  override handleRowDescription(message: { fields: Field[] }): void {
    super.handleRowDescription(message);
    const { fields, _parsers } = this._result;
    const rowOf = rowMaker(fields);
    if (!rowOf) return;
    const shape: Shape = { fields, _parsers, parseRow: (data) => rowOf(data, _parsers) };
    this.#shapes.set(this.name, shape);
    Object.assign(this._result, shape);
  }
}

const silent = new WeakMap<Connection, Connection>();

/** The same connection, which asks for no description. */
function undescribed(connection: Connection): Connection {
  const known = silent.get(connection);
  if (known) return known;
  const made: Connection = Object.create(connection, { describe: { value: () => undefined } });
  silent.set(connection, made);
  return made;
}

const makers = new Map<string, RowOf>();

/** Undefined for names that no column of ours has, and for binary columns: the driver reads such rows. The names are checked, so that nothing but a name gets into the code. */
function rowMaker(fields: readonly Field[]): RowOf | undefined {
  if (!fields.every(({ name, format }) => /^[a-z][a-z0-9_]*$/.test(name) && format === "text")) return undefined;
  const names = fields.map(({ name }) => name);
  const key = names.join();
  let made = makers.get(key);
  if (!made) {
    const members = names.map((name, i) => `${name}: d[${i}] === null ? null : p[${i}](d[${i}])`);
    const check = `if (d.length !== ${names.length}) throw new Error("the columns of a prepared statement have changed");`;
    made = new Function("d", "p", `${check} return { ${members.join(", ")} };`) as RowOf;
    makers.set(key, made);
  }
  return made;
}
