// A cell that was restored from a backup: its copies of the directory's rows are old.
import { readFile } from 'node:fs/promises'
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { createTestCells } from '../test/cells.ts'

const databases = await createTestCells()
const service = await buildTestService({}, undefined, databases)
const { cells } = service.ctx
const one = cells.of(1)

/** The statement that operators run after a restore. */
async function statement(): Promise<string> {
  const text = await readFile(new URL('../../docs/operators/cells.md', import.meta.url), 'utf8')
  const [, found] = /"\s*(insert into identity_changes[^"]*)"/.exec(text) ?? []
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
