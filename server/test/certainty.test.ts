// The outcome of npm test must be deterministic. Its files may not contain code whose result depends on time, on the
// machine or on data of other tests. Such tests belong to npm run verify (parts.ts). The rules also apply to its
// exhaustive tests, and the rules for tests of pages to all its tests of pages.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { createTestDatabase } from './database.ts'
import { createExceptions } from './exceptions.ts'
import { type Module, modules } from './imports.ts'

const HERE = 'server/test/certainty.test.ts'

/** Permitted violations of the rules, each with its reason; an unused exception fails. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'dashboard/e2e/home.browser.verify.ts gives up a wait before the minute that others have':
    'the button may have disappeared already',
  'dashboard/e2e/option-settings.browser.verify.ts gives up a wait before the minute that others have':
    'it is tried again, by expect.poll',
  'bench/failover/failover.test.ts waits for a time':
    'nothing may arrive meanwhile: a longer or shorter wait passes too',
  'server/reports/execution.test.ts waits for a time':
    'the order is certain by a lock: a shorter wait passes too',
  'server/test/fuzz.exhaustive.verify.ts waits for a time':
    'a request that hangs fails by its name, not by the limit of the whole test',
  'dashboard/features/webhooks/samples/samples.test.ts kills or starts processes':
    'runs the code samples of other languages, and ends them',
  'cli/files.test.ts reads whole tables': 'its database has one organization',
  'server/db/older-writers.test.ts reads whole tables': 'a deletion that is refused, or finds an empty table',
  'server/events/partitions.test.ts reads whole tables': 'partitions are of all organizations',
  'server/identity/accounts.test.ts reads whole tables':
    'nothing may be made anywhere: users are of no organization',
  'server/identity/service.test.ts reads whole tables':
    'nothing may be made anywhere: users are of no organization',
  'server/jobs/deletion-clock.test.ts reads whole tables':
    'the clock of deletions is one for all organizations',
  'server/mail/mailer.test.ts reads whole tables': 'old mail is deleted for all organizations',
  'server/mail/quota.test.ts reads whole tables': 'the quota of the installation counts all organizations',
  'server/records/engine/maintenance/compact.test.ts reads whole tables':
    'an index that is rebuilt has rows of all',
  'server/records/trash/concurrency.test.ts reads whole tables':
    'it names its records in another part of the statement',
}

interface Rule {
  title: string
  pattern: RegExp
}

const RULES: readonly Rule[] = [
  { title: 'waits for a time', pattern: /\bsetTimeout\(|\bdelay\(|waitForTimeout|pg_sleep\(0/ },
  {
    title: 'measures time',
    pattern: /performance\.now|hrtime|arrivedAtMs|Date\.now\(\) - \w*(?:start|began|before)/i,
  },
  { title: 'measures memory or processor time', pattern: /memoryUsage|cpuUsage|resourceUsage|heapUsed/ },
  { title: 'takes a number by chance', pattern: /Math\.random|seed: Date\.now|Date\.now\(\) %/ },
  { title: 'kills or starts processes', pattern: /SIGKILL|SIGSTOP|startEmbedded\(|createLives\(/ },
  {
    title: 'reads the feed once, which may wait for transactions of other tests',
    pattern: /^(?![\s\S]*\.poll\()[\s\S]*\bevents: [\s\S]*\(\s*[`']\/events\b/,
  },
  {
    title: 'waits with vi.waitFor, which fails after a second: expect.poll',
    pattern: /\bvi\.wait(?:For|Until)\(/,
  },
  { title: 'tries again', pattern: /\bretry: \d/ },
]

/** Also apply to npm run verify: such a test fails on a busy machine. */
const PAGE_RULES: readonly Rule[] = [
  {
    title: 'looks once at a page that may change: expect.poll',
    pattern:
      /expect\(\s*await [^\n]*?\.(?:evaluate\('document\.activeElement|(?:count|is[A-Z]\w+|textContent|all(?:Inner|TextContent)\w*|innerText|inputValue|getAttribute|boundingBox)\()/,
  },
  {
    title: 'looks once at an address that may change: expect.poll',
    pattern: /expect\((?:\[\.\.\.)?(?:new URL\(page\.url|page\.url|searchOf)\(/,
  },
  {
    title: 'presses an item before the menu has the focus: chooseFromMenu',
    pattern: /getByRole\('menuitem'[^\n]*\)\.press\(/,
  },
]

/** Also applies to npm run verify: a shared machine may stop for seconds, and then a shorter limit would fail. */
const SHORT_WAIT: Rule = {
  title: 'gives up a wait before the minute that others have',
  pattern: /(?<!requestIdleCallback\(done, \{ |Resolver\(\{ )\btimeout: (?:[1-9]\d{0,3}|[1-5]?\d_\d{3})\b/,
}

const tests = modules.filter(({ file }) => /\.(?:test|exhaustive\.verify)\.ts$/.test(file) && file !== HERE)
const waiting = modules.filter(({ file }) => /\.(?:test|verify|fixture)\.ts$/.test(file) && file !== HERE)
const pageTests = modules.filter(({ file }) => /^dashboard\/e2e\/.*\.(?:test|verify)\.ts$/.test(file))
const { excepting, unused } = createExceptions(EXCEPTIONS)

const breaking = ({ title, pattern }: Rule, files: readonly Module[]): string[] =>
  files.filter(({ text }) => pattern.test(text)).map(({ file }) => `${file} ${title}`)

const STATEMENT = /sql`((?:[^`\\]|\\.)*)`/g
const TABLE = /\b(?:from|update|join|into)\s+(\w+)/g

/** Statements that read or change rows of all organizations. @param tables tables with rows of organizations */
function wholeTables(text: string, tables: ReadonlySet<string>): string[] {
  const statements = [...text.matchAll(STATEMENT)].map(([, statement = '']) => statement.trim())
  return statements.filter((statement) => {
    const names = [...statement.matchAll(TABLE)].map(([, name = '']) => name)
    const [, condition = ''] = statement.split(/\bwhere\b(.*)/s)
    return (
      !/^(?:insert|with)\b/.test(statement) &&
      names.some((name) => tables.has(name)) &&
      !condition.includes('$' + '{')
    )
  })
}

test(`no test file ${SHORT_WAIT.title}`, () => expect(excepting(breaking(SHORT_WAIT, waiting))).toEqual([]))

describe('files of npm test, and exhaustive tests: ', () => {
  test.each(RULES)('none $title', (rule) => expect(excepting(breaking(rule, tests))).toEqual([]))

  test('none reads rows of other organizations', async () => {
    const { pool } = await createTestDatabase()
    const columns = await pool.many<{ table: string }>(sql`
      select table_name as table from information_schema.columns
      where table_schema = 'public' and column_name in ('org', 'organization_id')`)
    const tables = new Set(columns.map(({ table }) => table))
    expect(tables.size).toBeGreaterThan(50)
    const found = tests.filter(({ text }) => wholeTables(text, tables).length > 0)
    expect(excepting(found.map(({ file }) => `${file} reads whole tables`))).toEqual([])
  })

  test('have no unused exceptions', () => expect(unused()).toEqual([]))
})

describe('files that use pages', () => {
  test.each(PAGE_RULES)('none $title', (rule) => {
    expect(pageTests.length).toBeGreaterThan(50)
    expect(excepting(breaking(rule, pageTests))).toEqual([])
  })
})

describe('a statement', () => {
  const tables = new Set(['events', 'files'])
  const value = '$' + '{value}'
  test.each([
    ['select count(*) from events', true],
    ['select id from events order by id desc limit 1', true],
    ["update files set state = 'stored'", true],
    ["delete from files where state = 'waiting'", true],
    [`select count(*) from events where org = ${value}`, false],
    [`update files set state = ${value} where id = ${value}`, false],
    ['select 1 from pg_class', false],
    ['insert into events (org) values (1)', false],
  ])('%s concerns all organizations: %j', (statement, isWhole) =>
    expect(wholeTables(`sql\`${statement}\``, tables).length > 0).toBe(isWhole),
  )
})
