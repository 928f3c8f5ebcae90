// The address book of docs/guide/sync.md, with changes as its users make them.
import { DatabaseSync } from 'node:sqlite'

export type Values = Readonly<Record<string, unknown>>

export interface Book {
  add(values: Values): void
  change(email: string, values: Values): void
  remove(email: string): void
  contacts(): Values[]
  /** All stored data, including deleted contacts. */
  texts(): string
  close(): void
}

/** Call it after the program has created its tables. */
export function openBook(path: string): Book {
  const db = new DatabaseSync(path, { timeout: 5000 })
  const run = (statement: string, ...values: string[]) => db.prepare(statement).run(...values)
  return {
    add: (values) => run('insert into contacts (data) values (?)', JSON.stringify(values)),
    change: (email, values) =>
      run(
        "update contacts set data = json_patch(data, ?) where data->>'email' = ? and is_deleted = 0",
        JSON.stringify(values),
        email,
      ),
    remove: (email) => run("update contacts set is_deleted = 1 where data->>'email' = ?", email),
    contacts: () =>
      db
        .prepare('select data from contacts where is_deleted = 0')
        .all()
        .map(({ data }) => JSON.parse(String(data)) as Values),
    texts: () => JSON.stringify(db.prepare('select * from contacts').all()),
    close: () => db.close(),
  }
}
