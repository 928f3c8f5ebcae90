// The address book of docs/guide/sync.md, as the people who use it change it.
import { DatabaseSync } from 'node:sqlite'

export type Values = Readonly<Record<string, unknown>>

export interface Book {
  add(values: Values): void
  /** The contact with this email address. */
  change(email: string, values: Values): void
  remove(email: string): void
  /** Those that are not deleted. */
  contacts(): Values[]
  /** All that is stored, of deleted ones too. */
  texts(): string
  close(): void
}

/** Once the program has made its tables. */
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
