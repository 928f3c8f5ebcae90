// Merges, undo, duplicates and the trash from a terminal.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import type { DuplicateGroupList, DuplicateRule, DuplicateSearch } from '../contract/duplicates.ts'
import type { MergedRecord, MergeList, UnmergedRecord } from '../contract/merge.ts'
import type { BulkRestored, TrashList } from '../contract/trash.ts'
import type { UndoneChange } from '../contract/undo.ts'
import { newId } from '../server/base/id.ts'
import { helpOf, json } from './cli.fixture.ts'
import { duplicatesCommand } from './duplicates.ts'
import { mergesCommand } from './merges.ts'
import { openPeople } from './people.fixture.ts'
import { recordsCommand } from './records.ts'
import { trashCommand } from './trash.ts'
import { undoCommand } from './undo.ts'

const { rapport, pool, folder, org, people, write, createAdas, titlesOf } = await openPeople()

let winner = ''
let loser = ''
beforeEach(async () => {
  ;[winner, loser] = await createAdas()
})

test('merges records after a dry run, and undoes the merge', async () => {
  const args = [
    'records',
    'merge',
    winner,
    loser,
    '--source',
    `name=${loser}`,
    '--data',
    '{"job_title":"Poet"}',
  ]
  const dry = await people(...args, '--dry-run')
  expect(dry).toMatchObject({ code: 0, stderr: '' })
  expect(dry.stdout).toMatch(/^Nothing was changed\. Without --dry-run this would happen:\n1 merged into /)
  expect(dry.stdout).not.toContain('Undo it with')
  expect(await json<MergeList['merges']>(people('merges', 'list', winner, '--json'))).toEqual([])

  const { mergeId, record } = await json<MergedRecord>(people(...args, '--json'))
  expect(record).toMatchObject({
    id: winner,
    data: { name: { firstName: 'Ada', lastName: 'King' }, job_title: 'Poet' },
  })
  expect((await people('merges', 'list', winner)).stdout).toMatch(
    new RegExp(`^MERGE .*\n${mergeId} .* ada@example\\.com .* ${loser}\n$`),
  )
  expect((await people('merges', 'undo', mergeId, '--dry-run')).stdout).toContain('Nothing was changed.')
  expect(await json<UnmergedRecord>(people('merges', 'undo', mergeId, '--json'))).toMatchObject({
    record: { id: winner, data: { name: { firstName: 'Ada', lastName: 'Lovelace' } } },
    restoredIds: [loser],
    lossCount: 0,
  })
  expect((await people('merges', 'list', winner)).stdout).toBe('No merge into this record can be undone.\n')
})

test('a merge prints the command that undoes it', async () => {
  const { stdout } = await people('records', 'merge', winner, loser)
  const [, undo = ''] = /^Undo it with: rapport (.+)$/m.exec(stdout) ?? []
  expect((await rapport(undo.split(' '))).stdout).toBe(`1 merged records are back: ${loser}\n`)
})

/** Creates a group of duplicates, as a completed search does. */
const found = async (...records: string[]): Promise<string> => {
  const id = newId()
  await pool.run(sql`
    insert into duplicate_groups (org, obj, id, records, rules)
    select org, obj, ${id}, ${records}::uuid[], '{similar_name.name.company}' from objects
    where org = ${org} and slug = 'people'`)
  return id
}

test('lists, dismisses and merges a group of duplicates', async () => {
  const group = await found(winner, loser)
  expect((await people('duplicates', 'list')).stdout).toMatch(
    new RegExp(
      `^GROUP .*\n${group} +${winner} +Ada Lovelace +similar_name\\.name\\.company\n +${loser} +Ada King\n$`,
    ),
  )
  expect((await people('duplicates', 'dismiss', group)).stdout).toMatch(/ is dismissed: /)
  expect((await people('duplicates', 'list')).stdout).toMatch(/^No duplicates are listed\. Search for them: /)
  const dismissed = await json<DuplicateGroupList>(people('duplicates', 'list', '--dismissed', '--json'))
  expect(dismissed.groups).toMatchObject([{ id: group, dismissedBy: { email: 'ada@example.com' } }])
  expect((await people('duplicates', 'dismiss', group, '--reopen')).stdout).toMatch(/ is listed again\.\n$/)

  const into = ['duplicates', 'merge', group, '--into']
  expect(await people(...into, newId())).toMatchObject({
    code: 1,
    stderr: `rapport: --into must be a record of the group: use one of ${winner}, ${loser}\n`,
  })
  expect(await json(people(...into, loser, '--dry-run', '--json'))).toMatchObject({ record: { id: loser } })
  expect(await json(people('duplicates', 'merge', group, '--json'))).toMatchObject({
    record: { id: winner },
    mergedIds: [loser],
  })
  expect(await people('duplicates', 'merge', group)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Fewer than two records of this group are left'),
  })
})

test('lists and switches duplicate rules', async () => {
  const rules = (...args: string[]) => people('duplicates', 'rules', ...args)
  const states = async (...args: string[]) =>
    (await json<DuplicateRule[]>(rules(...args, '--json'))).map(({ id, isActive }) => [id, isActive])
  const [email, phone, name] = ['same_email.email', 'same_phone.phone', 'similar_name.name.company']
  expect((await rules()).stdout).toMatch(
    new RegExp(
      `^RULE .*\n${email} +Same email +email +on\n${phone} +Same phone +phone +off\n${name} .* on\n$`,
    ),
  )
  const switched = await states('--on', phone, '--off', email, '--off', name)
  expect(switched).toEqual([
    [email, false],
    [phone, true],
    [name, false],
  ])
  expect(await rules('--on', email, '--off', 'same_email.work')).toMatchObject({
    code: 1,
    stderr: `rapport: No such rule: same_email.work. Use one of ${email}, ${phone}, ${name}\n`,
  })
  expect(await rules('--on', email, '--off', email)).toMatchObject({
    code: 1,
    stderr: `rapport: ${email} is in --on and in --off: leave one of them out\n`,
  })
  expect(await states()).toEqual(switched)
})

test('starts, shows and cancels a search for duplicates', async () => {
  const search = (...args: string[]) => people('duplicates', 'search', ...args)
  expect((await search('--status')).stdout).toBe('This object was not searched yet.\n')
  const started = await search()
  expect(started.stdout).toMatch(/^The search is running: 0 of \d+ records read\.\nNo service is running/)
  expect(await json<DuplicateSearch>(search('--status', '--json'))).toMatchObject({ state: 'running' })
  expect((await search('--cancel')).stdout).toMatch(/^The search was cancelled: /)
})

test('lists the trash, and restores or permanently deletes its records', async () => {
  await people('records', 'merge', winner, loser)
  const listed = await people('trash', 'list', '--limit', '1')
  expect(listed.stdout).toMatch(new RegExp(`^RECORD .*\n${loser} +Ada King +20\\S+ +ada@example\\.com +20`))
  const page = await json<TrashList>(people('trash', 'list', '--json'))
  expect(page.records[0]).toMatchObject({ id: loser })

  const restore = ['trash', 'restore', loser.toUpperCase()]
  expect((await people(...restore, '--dry-run')).stdout).toMatch(/^Nothing was changed\..*\n1 restored\.\n$/s)
  expect(await json<BulkRestored>(people(...restore, '--json'))).toMatchObject({ restored: 1, lossCount: 0 })
  expect(await people(...restore)).toEqual({
    code: 1,
    stdout: '0 restored.\n',
    stderr:
      'rapport: 1 of 1 ids are not in the trash of people: see rapport trash list --org acme --object people\n',
  })

  await people('records', 'merge', winner, loser)
  expect((await people('trash', 'delete', loser)).stderr).toBe(
    'rapport: This deletes the records for good: confirm with --yes\n',
  )
  expect(await json(people('trash', 'delete', loser, '--yes', '--json'))).toEqual({ deleted: 1 })
  expect((await json<TrashList>(people('trash', 'list', '--json'))).records).not.toContainEqual(
    expect.objectContaining({ id: loser }),
  )
})

test('undoes the last change of a record, or a named change', async () => {
  for (const title of ['Analyst', 'Countess'])
    await write({ mode: 'upsert', records: [{ id: winner, data: { job_title: title } }] })
  const undo = (...args: string[]) => people('undo', 'change', winner, ...args)
  expect((await undo('--dry-run')).stdout).toMatch(/^Nothing was changed\..*\nRestored: job_title\n$/s)
  expect(await json<UndoneChange>(undo('--json'))).toMatchObject({
    changes: { job_title: { from: 'Countess', to: 'Analyst' } },
    record: { data: { job_title: 'Analyst' }, version: 4 },
  })
  await write({ mode: 'upsert', records: [{ id: winner, data: { job_title: 'Poet' } }] })
  expect(await undo('--version', '2')).toEqual({
    code: 1,
    stdout: 'No value is restored.\nNot restored: job_title: the value was changed since.\n',
    stderr: '',
  })
  expect((await undo('--version', '2', '--overwrite', 'job_title')).stdout).toBe('Restored: job_title\n')
  expect(await titlesOf([winner])).toEqual([{ title: null }])
  expect((await undo('--version', 'last')).stderr).toContain('It must be a whole number, at least 2')
  expect((await undo('--version', '1')).stderr).toMatch(/^rapport: version: /)
})

test('skips rows of a file that match a record with --duplicates skip', async () => {
  const file = join(folder, 'people.csv')
  await writeFile(file, 'name,email\nMary Somerville,mary@example.com\nWilliam King,william@example.com\n')
  const read = (...args: string[]) => people('import', file, ...args)
  expect((await read()).stdout).toMatch(/^people: 2 created, 0 updated, 0 failed, /m)
  await writeFile(file, 'name,email\nMary King,mary@example.com\nAnne Blunt,anne@example.com\n')
  const { stdout } = await read('--duplicates', 'skip')
  expect(stdout).toMatch(/^people: 1 created, 0 updated, 1 skipped, 0 failed, /m)
  expect(stdout).toMatch(/^Line 2 is skipped: it matches [0-9a-f-]{36}$/m)
  expect(await json(read('--duplicates', 'update', '--json'))).toMatchObject({
    ...{ created: 0, updated: 1, unchanged: 1, skipped: 0, skippedRows: [] },
  })
  expect((await read('--duplicates', 'create', '--match-on', 'email')).stderr).toMatch(
    /^rapport: matchOn: must be null where every row creates a record/,
  )
  expect((await read('--duplicates', 'merge')).stderr).toContain('Allowed choices are skip, update, create')
})

test('counts rows without changes as unchanged, and offers no undo without changes', async () => {
  const file = join(folder, 'known.csv')
  await writeFile(file, 'name,email,job_title\nAda,ada@known.example,Poet\nBob,bob@known.example,\n')
  const read = (...args: string[]) => people('import', file, '--match-on', 'email', ...args)
  expect(await json(read('--json'))).toMatchObject({ created: 2, updated: 0, unchanged: 0 })
  const again = await read()
  expect(again.stdout).toMatch(/^people: 0 created, 0 updated, 2 unchanged, 0 failed, in /m)
  expect(again.stdout).not.toContain('Undo')
  expect(await json(read('--json'))).toMatchObject({ updated: 0, unchanged: 2, changeSetId: null })
  // Rows of the same record are written one after the other.
  const title = (name: string) => `Ada,ada@known.example,${name}\n`
  await writeFile(file, `name,email,job_title\n${title('Poet')}${title('Countess')}${title('Countess')}`)
  const mixed = await json<{ changeSetId: string }>(read('--json'))
  expect(mixed).toMatchObject({ created: 0, updated: 1, unchanged: 2, failed: 0 })
  expect(
    await json(rapport(['undo', 'change-set', mixed.changeSetId, '--org', 'acme', '--json'])),
  ).toMatchObject({ restored: 1 })
})

test.each([
  [['records', 'merge', '0198c0de-0000-7000-8000-000000000001', 'x'], /^rapport: loserIds\[0\]: /],
  [['records', 'merge', 'x', 'y', '--source', 'name'], /Write it as slug=record id/],
  [['records', 'merge', 'x', 'y', '--data', '{'], /It must be a JSON object/],
  [['merges', 'undo', 'x'], /^rapport: No such merge/],
  [['duplicates', 'merge', 'x'], /^rapport: No such group of duplicates/],
  [['duplicates', 'list', '--limit', '0'], /^rapport: limit: /],
  [['trash', 'list', '--cursor', 'x'], /^rapport: cursor: /],
  [['undo', 'change', newId()], /^rapport: No such record/],
])('%j is refused in one line', async (args, message) => {
  const { code, stdout, stderr } = await people(...args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

const withOwn = (command: Command): Command[] => [command, ...command.commands.flatMap(withOwn)]
const commands = [recordsCommand(), mergesCommand(), duplicatesCommand(), trashCommand(), undoCommand()]
test.each(commands.flatMap(withOwn).map((command) => [command.name(), command] as const))(
  'the help of %s shows examples',
  (_, command) => expect(helpOf(command)).toContain('Examples:\n  $ '),
)
