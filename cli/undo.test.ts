// Undoes change sets, imports and changes of API keys from a terminal. The undo of one change of a record is in
// record-changes.test.ts.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import type { UndoneActivityChange } from '../contract/activity-history.ts'
import type { ChangeSet } from '../contract/change-sets.ts'
import { createActivity, patchActivity } from '../server/activities/service.ts'
import { newId } from '../server/base/id.ts'
import { createComment } from '../server/comments/service.ts'
import { json } from './cli.fixture.ts'
import { openPeople } from './people.fixture.ts'

const { rapport, inService, pool, folder, org, people, write, createAdas, titlesOf } = await openPeople()

const undo = (...args: string[]) => rapport(['undo', ...args, '--org', 'acme'])

let winner = ''
let loser = ''
beforeEach(async () => {
  ;[winner, loser] = await createAdas()
})

test('undoes all batches of a change set by one command', async () => {
  const changeSetId = newId()
  const update = (id: string, title: string) =>
    write({ mode: 'upsert', changeSetId, records: [{ id, data: { job_title: title } }] })
  await update(winner, 'Poet')
  await update(loser, 'Countess')
  await write({ changeSetId, records: [{ data: { name: 'Charles Babbage' } }] })
  const undoSet = () => undo('change-set', changeSetId, '--json')
  expect(await json(undoSet())).toMatchObject({
    ...{ kind: 'changeSet', sourceId: changeSetId, status: 'completed', total: 3, done: 3 },
    ...{ restored: 2, trashed: 1, returned: 0, keptIds: [], conflicts: [], batchesLeft: 0 },
  })
  expect(await titlesOf([winner, loser])).toEqual([{ title: null }, { title: null }])
  expect(await undoSet()).toEqual({
    code: 1,
    stdout: '',
    stderr: 'rapport: No such change set: see rapport undo list --org acme\n',
  })
})

test('undoes an import of the dashboard', async () => {
  const id = newId()
  await pool.run(sql`
    insert into imports (org, id, obj, state, file_name, created_by)
    select o.org, ${id}, o.obj, 'completed', 'people.csv', u.id from objects o, users u
    where o.org = ${org} and o.slug = 'people'`)
  await write({ changeSetId: id, records: [{ data: { name: 'Charles Babbage' } }] })
  const undoImport = () => undo('import', id)
  expect((await undoImport()).stdout).toBe(
    '0 have their earlier values, 1 that were created are in the trash, 0 that were deleted are back.\n',
  )
  expect(await undoImport()).toMatchObject({
    code: 1,
    stderr: 'rapport: The import is undone already: upload the file again to import it\n',
  })
})

test('undoes an import of a file, with the records that it created for references', async () => {
  const file = join(folder, 'people.csv')
  await writeFile(file, 'name,email,company\nMary Somerville,mary.s@example.com,Royal Society\n')
  const { stdout } = await people('import', file, '--create-missing')
  const command = /^Undo it within 24 hours: rapport (undo change-set \S+ --org acme)$/m.exec(stdout)?.[1]
  expect((await rapport(String(command).split(' '))).stdout).toBe(
    '0 have their earlier values, 2 that were created are in the trash, 0 that were deleted are back.\n',
  )
  expect((await people('import', file)).stdout).toMatch(/^people: 0 created, 0 updated, 1 failed, /m)
})

test('reports changes of a change set that cannot be undone', async () => {
  const changeSetId = newId()
  await write({ mode: 'upsert', changeSetId, records: [{ id: winner, data: { job_title: 'Poet' } }] })
  await write({ mode: 'upsert', records: [{ id: winner, data: { job_title: 'Analyst' } }] })
  expect(await undo('change-set', changeSetId)).toEqual({
    code: 1,
    stdout: `0 have their earlier values, 0 that were created are in the trash, 0 that were deleted are back.
Not restored of ${winner} (2): job_title: the value was changed since.
`,
    stderr: '',
  })
})

test('with --object, undoes only records of the object, batch by batch', async () => {
  const changeSetId = newId()
  const [id = ''] = (
    await write({ changeSetId, records: [{ data: { name: 'Mary Somerville' } }] })
  ).results.map((one) => one.id ?? '')
  await write({ changeSetId, mode: 'upsert', records: [{ id: winner, data: { job_title: 'Poet' } }] })
  await write({ mode: 'upsert', records: [{ id, data: { job_title: 'Analyst' } }] })
  const undoPeople = (...args: string[]) => people('undo', 'change-set', changeSetId, ...args)
  expect(await undoPeople('--dry-run')).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'rapport: --dry-run is of all that was changed: leave --object out\n',
  })
  expect(await undoPeople()).toEqual({
    ...{ code: 1, stderr: '' },
    stdout: `1 have their earlier values, 0 that were created are in the trash, 0 that were deleted are back.
Created, and stay: ${id}
`,
  })
  expect((await undoPeople()).stderr).toMatch(/^rapport: No such change set: /)
})

/** Creates a change set of a person, an activity and a comment. */
async function createSet(): Promise<string> {
  const changeSetId = newId()
  const { id: objectId } = await pool.one<{ id: string }>(
    sql`select id from objects where org = ${org} and slug = 'people'`,
  )
  await write({ changeSetId, records: [{ data: { name: 'Charles Babbage' } }] })
  await inService(async (ctx, caller) => {
    const author = { ...caller, changeSet: changeSetId }
    const linkedRecords = [{ objectId, recordId: winner }]
    await createActivity(ctx, author, { type: 'call', title: 'Call Ada', linkedRecords })
    await createComment(ctx, author, { objectId: 'people', recordId: winner }, { text: 'Called' })
  })
  return changeSetId
}

const SET_UNDONE =
  '0 have their earlier values, 3 that were created are in the trash, 0 that were deleted are back.\n'

test('undoes activities and comments together with the records, after a dry run', async () => {
  const changeSetId = await createSet()
  expect(await undo('change-set', changeSetId, '--dry-run')).toEqual({
    code: 0,
    stdout: `Nothing was changed. Without --dry-run this would happen:\n${SET_UNDONE}`,
    stderr: '',
  })
  const left = () =>
    pool.one(sql`
      select (select count(*)::int from activities where org = ${org}) as activities,
        (select count(*)::int from comments where org = ${org}) as comments`)
  expect(await left()).toEqual({ activities: 1, comments: 1 })
  expect(await undo('change-set', changeSetId)).toEqual({ code: 0, stdout: SET_UNDONE, stderr: '' })
  expect(await left()).toEqual({ activities: 0, comments: 0 })
})

test('lists change sets that can be undone, with the commands', async () => {
  const changeSetId = await createSet()
  const { changeSets } = await json<{ changeSets: ChangeSet[] }>(undo('list', '--limit', '1', '--json'))
  expect(changeSets).toMatchObject([{ kind: 'changeSet', id: changeSetId, changes: 3 }])
  expect((await undo('list', '--limit', '1')).stdout).toMatch(
    new RegExp(`^KIND +ID .*\nchange-set +${changeSetId} +3 +20\\S+ +20\\S+ +member Ada\n`),
  )
})

test('an interrupted command cancels the undo, and a repeated command continues it', async () => {
  const changeSetId = newId()
  const records = Array.from({ length: 100 }, (_, nr) => ({ data: { name: `Copy ${nr}` } }))
  await write({ changeSetId, records })
  await write({ changeSetId, records })
  const isWaiting = () =>
    pool.value<boolean>(sql`
      select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`)
  const stopped = await pool.transaction(async (tx) => {
    await tx.run(
      sql`select from records where org = ${org} and data->'name'->>'firstName' = 'Copy' for update`,
    )
    const undoing = undo('change-set', changeSetId, '--json')
    await expect.poll(isWaiting).toBe(true)
    process.emit('SIGINT', 'SIGINT')
    return { undoing }
  })
  expect(await stopped.undoing).toMatchObject({ code: 130, stderr: '' })
  const { stdout } = await stopped.undoing
  expect(JSON.parse(stdout)).toMatchObject({ status: 'cancelled', trashed: 100, batchesLeft: 100 })
  expect(await json(undo('change-set', changeSetId, '--json'))).toMatchObject({
    trashed: 100,
    batchesLeft: 0,
  })
})

test.each([
  [['change-set', 'x'], /^rapport: id: /],
  [['change-set', newId()], /^rapport: No such change set: see rapport undo list --org acme$/],
  [['import', newId()], /^rapport: No such import: see /],
  [['workflow-run', newId()], /^rapport: No such workflow run: see /],
  [
    ['api-key', newId(), '--from', '2020-01-01T00:00:00Z'],
    /^rapport: No such change of the API key in this time: see /,
  ],
  [['api-key', newId(), '--from', 'today'], /^rapport: from: /],
  [['list', '--cursor', 'x'], /^rapport: cursor: /],
])('undo %j is refused in one line', async (args, message) => {
  const { code, stdout, stderr } = await undo(...args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.trimEnd()).toMatch(message)
})

test('undoes the last change of an activity, or a named change', async () => {
  const id = await inService(async (ctx, caller) => {
    const activity = await createActivity(ctx, caller, { type: 'call', title: 'Call' })
    for (const title of ['Mail', 'Meet'])
      await patchActivity(ctx, caller, { activityId: activity.id, ifMatch: undefined, patch: { title } })
    return activity.id
  })
  const undoActivity = (...args: string[]) => undo('activity', id, ...args)
  expect((await undoActivity('--dry-run')).stdout).toMatch(/^Nothing was changed\..*\nRestored: title\n$/s)
  expect(await json<UndoneActivityChange>(undoActivity('--json'))).toMatchObject({
    changes: { title: { from: 'Meet', to: 'Mail' } },
    activity: { title: 'Mail', version: 4 },
  })
  await inService((ctx, caller) =>
    patchActivity(ctx, caller, { activityId: id, ifMatch: undefined, patch: { title: 'Lunch' } }),
  )
  expect(await undoActivity('--version', '2')).toEqual({
    code: 1,
    stdout: 'No value is restored.\nNot restored: title: the value was changed since.\n',
    stderr: '',
  })
  expect((await undoActivity('--version', '2', '--overwrite', 'title')).stdout).toBe('Restored: title\n')
})
