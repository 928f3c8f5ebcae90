// All messages in the sources, found through the syntax tree, follow the rules: for example each states what to do.
import { describe, expect, test } from 'vitest'
import { messages } from './places.ts'
import { RULES } from './rules.ts'

/** Files whose messages end with another message or are a part of one. The test fails on unnecessary entries. */
const WRAPPED: Readonly<Record<string, string>> = {
  'cli/job-of-file.ts': 'what is wrong with the file, and the advice of the command',
  'cli/job-reference.ts': 'why nothing is kept next to the file: each command says what that means',
  'cli/listen.ts': 'what the check of the address says',
  'cli/reports.ts': 'the error of the run',
  'cli/seed.ts': 'the reason why it stopped',
  'cli/session.ts': 'the reason of a command that is stopped',
  'server/activities/history/service.ts': 'why a value stays as it is',
  'server/config/backup-config.ts': 'what the settings of the bucket say',
  'server/operations/backup/restore-wal.ts': 'a part of the message of the restore',
  'server/db/database.ts': 'the cause of a fault, whose advice explain.test.ts holds',
  'server/db/embedded/unfinished-restore.ts':
    'a fault and its next step, which the doctor shows in two lines',
  'server/db/embedded/error.ts': 'the line of PostgreSQL that says what is wrong',
  'server/http/health.ts': 'conditions with their advice',
  'server/http/validate.ts': 'what is wrong with all of a value',
  'server/identity/ask-auth.ts': 'what the library for sign-in refuses without a reason',
  'server/imports/csv/survey.ts': 'what is wrong with the row',
  'server/imports/problems.ts': 'what is wrong with a cell, next to the choices that the page offers',
  'server/live/bounds.ts': 'the advice of the bound',
  'server/records/filters/input.ts': 'what the operand must be',
  'server/records/filters/to-sql.ts': 'what the operand must be',
  'server/records/merge/service.ts': 'what became of the record',
  'server/records/bulk/row-faults.ts': 'what is wrong with each row',
  'server/webhooks/svix/applications.ts': 'a part of the message for the log',
  'server/webhooks/svix/client.ts': 'what Svix responded, for the log',
  'server/workflows/check/shapes.ts': 'what is wrong with all of a definition',
}

/** Expressions whose text cannot be found, because it is elsewhere in the list or comes from outside. */
const OPEN: Readonly<Record<string, string>> = {
  'server/record-jobs/dry-run.ts: say(fault.message)':
    'the message of the fault, without the id of a record that was rolled back',
  "server/record-jobs/csv-columns.ts: message.replaceAll('with --map', 'in columns')":
    'messages of the command, with the field of the API in place of its option',
  'server/operations/backup/restore-wal.ts: undefined': 'there is nothing to say',
  'server/db/embedded/error.ts: known[1](folder)': 'functions in a list, one for each known cause',
  'server/db/migrate.ts: state.unusable': 'the texts of schema-state.ts, which its test holds',
  'server/db/embedded/launcher.ts: trouble': 'what the system says of a missing account',
  'server/base/errors.ts: summary(errors.slice(0, 3))': 'the problems',
  "server/jobs/boss.ts: (reported as Error).message.replace(OF_WORKER, '')":
    'what the job queue says, for the log',
  'server/imports/check-batch.ts: outcome': 'what is wrong with the row',
  'server/reassignments/jobs.ts: problems[0]': 'what was refused first',
  'server/reassignments/jobs.ts: result.failed[0]?.error': 'what was refused first',
  'server/records/filters/paths.ts: unknown(object, slug)':
    'the attributes that there are, in the words of each surface',
  'server/records/validation/values.ts: said': 'the message, or the same with the names to use instead',
  'server/webhooks/endpoints/fields.ts: refusal': 'what the check of the address says',
  'server/webhooks/endpoints/fields.ts: wrongValue[1]': 'pairs of a code and a message',
  "server/workflows/engine/runner.ts: error ?? ''": 'the error of the run',
  'server/workflows/steps/http-request.ts: masked(message ?? failure)': 'why a receiver was not reached',
}

const found = messages()

describe('the list of messages', () => {
  test('has messages of every part', () => {
    const folders = new Set(found.map(({ file }) => file.split('/').slice(0, 2).join('/')))
    expect([...folders]).toEqual(
      expect.arrayContaining(['server/records', 'server/http', 'server/workflows', 'server/operations']),
    )
    expect(found.length).toBeGreaterThan(500)
  })

  test.each([
    ['server/base/errors.ts', 'Another workflow has the name "‹name›": choose another name'],
    ['server/records/types/checkbox.ts', 'must be true or false'],
    ['server/http/problems.ts', 'must be at most ‹limit›'],
  ])('follows texts through constants and functions: %s', (file, text) => {
    expect(found.filter((one) => one.file === file).flatMap(({ texts }) => texts)).toContain(text)
  })

  const openOnes = found
    .filter(({ open, kind }) => open !== undefined && kind !== 'note')
    .map(({ file, open }) => `${file}: ${open}`)

  test('finds the text of every message', () => {
    expect(openOnes.filter((one) => !Object.hasOwn(OPEN, one))).toEqual([])
    expect(Object.keys(OPEN).filter((one) => !openOnes.includes(one))).toEqual([])
  })

  const broken = RULES.flatMap(({ title, kinds, isBroken }) =>
    found
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap(({ file, texts }) => texts.filter(isBroken).map((text) => ({ title, file, text }))),
  )

  test.each(RULES)('has no message that $title', ({ title }) => {
    const own = broken.filter((one) => one.title === title && !Object.hasOwn(WRAPPED, one.file))
    expect(own.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
  })

  test('has no unused exceptions', () => {
    const files = new Set(broken.map(({ file }) => file))
    expect(Object.keys(WRAPPED).filter((file) => !files.has(file))).toEqual([])
  })
})
