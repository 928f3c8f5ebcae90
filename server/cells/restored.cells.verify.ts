// A cell that was restored from a backup: its copies of the directory's rows are old. A directory that was restored: it
// looks for organizations where they were.
import { readFile } from 'node:fs/promises'
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { createTestCells } from '../test/cells.ts'
import { findMisplaced } from './places.ts'

const databases = await createTestCells()
const service = await buildTestService({}, undefined, databases)
const { cells } = service.ctx
const one = cells.of(1)

/** A statement that operators run after a restore. @param table into which it inserts first */
async function statement(table = 'identity_changes'): Promise<string> {
  const text = await readFile(new URL('../../docs/operators/cells.md', import.meta.url), 'utf8')
  const [, found] = new RegExp(`"\\s*(insert into ${table}[^"]*)"`).exec(text) ?? []
  if (found === undefined) throw new Error('The document has no statement')
  return found
}

test('a restored cell gets new copies of organizations, members and keys', async () => {
  const org = await service.org({ ctx: one })
  const mia = await org.member('member')
  const copies = () =>
    one.db.one(sql`
      select k.scopes, o.name as organization, u.name as person, m.role
      from api_keys k join organizations o using (org) join members m on m.organization_id = o.id
      join users u on u.id = m.user_id where k.id = ${org.keyId} and u.id = ${mia.userId}`)
  const before = await copies()
  await one.db.run(sql`update api_keys set scopes = '{}' where id = ${org.keyId}`)
  await one.db.run(sql`update organizations set name = 'Old' where id = ${org.id}`)
  await one.db.run(sql`update users set name = 'Old' where id = ${mia.userId}`)
  await one.db.run(sql`delete from members where user_id = ${mia.userId}`)
  await databases.pool.run(raw(await statement()))
  await cells.copy()
  expect(await copies()).toEqual(before)
})

test('an organization that moved after the moment of a restored directory is named, until the directory is corrected', async () => {
  const org = await service.org({ ctx: one })
  const { pool } = databases
  const misplaced = async () =>
    (await findMisplaced(pool, one.db, 1)).filter(({ slug }) => slug === `org-${org.id}`)
  expect(await misplaced()).toEqual([])
  // As before the move.
  await pool.run(sql`update organizations set cell = 0 where org = ${org.org}`)
  expect(await misplaced()).toMatchObject([{ named: 0, isHere: true }])
  const text = (await statement('moved_tokens')).replaceAll("'acme'", `'org-${org.id}'`)
  for (const single of text.split(';')) await pool.run(raw(single))
  expect(await misplaced()).toEqual([])
  const guard = sql`select state from organization_moves where org = ${org.org}`
  expect(await pool.maybeOne(guard)).toEqual({ state: 'left' })
})

test('organizations that the directory does not know, or that a cell has lost, are found', async () => {
  const org = await service.org({ ctx: one })
  const found = async () =>
    (await findMisplaced(databases.pool, one.db, 1)).filter(({ slug }) => slug === `org-${org.id}`)
  expect(await found()).toEqual([])
  await one.db.run(sql`insert into organization_moves (org, state) values (${org.org}, 'left')`)
  expect(await found()).toMatchObject([{ named: 1, isHere: false }])
  await one.db.run(sql`delete from organization_moves where org = ${org.org}`)
  await databases.pool.run(sql`delete from organizations where id = ${org.id}`)
  expect(await found()).toEqual([])
  await one.db.run(sql`update organizations set created_at = now() - interval '1 day' where id = ${org.id}`)
  expect(await found()).toMatchObject([{ named: null, isHere: true }])
})
