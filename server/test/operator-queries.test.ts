// Runs the queries of "What to watch" in docs/operators/database.md.
import { readFile } from 'node:fs/promises'
import { raw } from 'sql-template-tag'
import { expect, inject, test } from 'vitest'
import { withClient } from '../db/database.ts'
import { createTestDatabase } from './database.ts'

const page = await readFile(new URL('../../docs/operators/database.md', import.meta.url), 'utf8')
const [, section = ''] = page.split('## What to watch')
const [, block = ''] = /```sql\n([\s\S]*?)```/.exec(section) ?? []
const statements = block
  .replaceAll(/--.*$/gm, '')
  .split(';')
  .map((text) => text.trim())
  .filter((text) => text !== '')
const isOfSuperuser = (text: string) => /pgstat(?:tuple|ginindex)/.test(text)

const { pool, connection } = await createTestDatabase()

test('there are five statements', () => expect(statements).toHaveLength(5))

test.each(statements.filter((text) => !isOfSuperuser(text)))('%s', async (text) => {
  await pool.many(raw(text))
})

test('a superuser reads the lists of trigrams', async () => {
  const superuser = { ...inject('postgres'), database: connection.database }
  const rows = await withClient(superuser, async (client) => {
    const [create = '', read = ''] = statements.filter(isOfSuperuser)
    await client.query(create)
    return (await client.query(read)).rows
  })
  expect(rows).toContainEqual({ relname: expect.any(String), pending_pages: expect.any(Number) })
})
