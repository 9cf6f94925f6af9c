// Runs a prepared statement again without asking Postgres to describe its columns: they cannot change, because Postgres then refuses the
// statement (0A000). Rows are built by one function for each list of columns, so they have one hidden class, and V8 can optimise what reads
// them. The driver makes a new one for each answer.
import pg from "pg";

type Field = { name: string; format: string; dataTypeID: number };
type Parser = (text: string) => unknown;
type RowOf = (data: readonly (string | null)[], parsers: readonly Parser[]) => object;
/** What the driver's result knows of its rows. */
type Shape = { fields: Field[]; _parsers: Parser[]; parseRow: (data: readonly (string | null)[]) => object };
export type Shapes = Map<string, Shape>;

export type Callback = (error: Error | null, result?: pg.QueryResult) => void;

/** The driver's, as far as they are used here. */
type Connection = { parsedStatements: Record<string, unknown> };
declare class DriverQuery {
  constructor(config: pg.QueryConfig, values: undefined, callback: Callback);
  name: string;
  _result: Shape;
  _accumulateRows: boolean;
  prepare(connection: Connection): void;
  handleRowDescription(message: { fields: Field[] }): void;
}

export class NamedQuery extends (pg.Query as unknown as typeof DriverQuery) {
  readonly #shapes: Shapes;

  constructor(config: pg.QueryConfig, shapes: Shapes, callback: Callback) {
    super(config, undefined, callback);
    this.#shapes = shapes;
  }

  override prepare(connection: Connection): void {
    const shape = this.#shapes.get(this.name);
    if (shape && connection.parsedStatements[this.name] !== undefined) {
      Object.assign(this._result, shape);
      this._accumulateRows = true;
      super.prepare(withoutDescribe(connection));
    } else super.prepare(connection);
  }

  override handleRowDescription(message: { fields: Field[] }): void {
    super.handleRowDescription(message);
    const { fields, _parsers } = this._result;
    const rowOf = compileRowReader(fields);
    if (!rowOf) return;
    const shape: Shape = { fields, _parsers, parseRow: (data) => rowOf(data, _parsers) };
    this.#shapes.set(this.name, shape);
    Object.assign(this._result, shape);
  }
}

const silenced = new WeakMap<Connection, Connection>();

/** The same connection, which asks for no description. */
function withoutDescribe(connection: Connection): Connection {
  const known = silenced.get(connection);
  if (known) return known;
  const made: Connection = Object.create(connection, { describe: { value: () => undefined } });
  silenced.set(connection, made);
  return made;
}

const rowReaders = new Map<string, RowOf>();

/**
 * Undefined for names that no column of ours has, and for binary columns: the driver reads such rows. Nothing but a name gets into the
 * code.
 */
function compileRowReader(fields: readonly Field[]): RowOf | undefined {
  if (!fields.every(({ name, format }) => /^[a-z][a-z0-9_]*$/.test(name) && format === "text")) return undefined;
  const names = fields.map(({ name }) => name);
  const key = names.join();
  let made = rowReaders.get(key);
  if (!made) {
    const members = names.map((name, i) => `${name}: d[${i}] === null ? null : p[${i}](d[${i}])`);
    const check = `if (d.length !== ${names.length}) throw new Error("Postgres sent " + d.length + " columns of a prepared statement, and had described ${names.length}; start the process again");`;
    made = new Function("d", "p", `${check} return { ${members.join(", ")} };`) as RowOf;
    rowReaders.set(key, made);
  }
  return made;
}
