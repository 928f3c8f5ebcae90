// The dashboard and a job read files of every kind in the same way: equal records, and the same failed rows.
import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { openDashboardReader, openJobReader, type Read, type Reader } from './alike.fixture.ts'

const service = await buildTestService()

type Country = 'US' | 'DE'
const openAll = async (country: Country): Promise<Reader[]> => [
  await openDashboardReader(service, country),
  await openJobReader(service, country),
]
const readers = { US: await openAll('US'), DE: await openAll('DE') }

type Failed = [line: number, cells: string[]][]
type Case = [title: string, file: string | Buffer, records: Read['records'], failed?: Failed]

let made = 0
/** Names are unique, so `#` in a file is replaced by a different word in each case. */
const named = (text: string, mark: string) => text.replaceAll('#', mark)

function bytesOf(file: string | Buffer, mark: string): Buffer {
  if (typeof file === 'string') return Buffer.from(named(file, mark))
  return file
}

async function expectAlike(country: Country, [, file, records, failed = []]: Case): Promise<void> {
  const mark = `n${++made}`
  const expected = JSON.parse(named(JSON.stringify({ records, failed }), mark))
  const whole: Read = {
    records: expected.records,
    failed: failed.map(([line]) => line),
    cells: expected.failed.map(([, cells]: Failed[number]) => cells),
  }
  for (const { read } of readers[country])
    expect({ cells: whole.cells, ...(await read(bytesOf(file, mark))) }).toEqual(whole)
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const latin = (text: string) => Buffer.from(text, 'latin1')
const LONG = 'x'.repeat(70_000)
const amounts = (...values: number[]) => values.map((amount, at) => ({ name: `#${at}`, amount }))
const prices = (amount: number, currency: string) => [{ name: '#', price: { amount, currency } }]
const days = (...values: string[]) => values.map((day, at) => ({ name: `#${at}`, day }))

const WRITTEN: Case[] = [
  ['commas', 'Name,Code\n#,a\n', [{ name: '#', code: 'a' }]],
  ['semicolons', 'Name;Code\n#;a\n', [{ name: '#', code: 'a' }]],
  ['tabs', 'Name\tCode\n#\ta\n', [{ name: '#', code: 'a' }]],
  ['vertical bars', 'Name|Code\n#|a\n', [{ name: '#', code: 'a' }]],
  ['commas within cells that semicolons separate', 'Name;Code\n#;1,5\n', [{ name: '#', code: '1,5' }]],
  ['semicolons within quotes', 'Name,Code\n#,"a;b;c;d"\n', [{ name: '#', code: 'a;b;c;d' }]],
  ['one column with commas in its cells', 'Name\n#, Ada\n', [{ name: '#, Ada' }]],
  ['sep=;', 'sep=;\r\nName;Code\r\n#;a,b\r\n', [{ name: '#', code: 'a,b' }]],
  ['sep=, where the cells have semicolons', 'sep=,\nName,Code\n#,a;b;c\n', [{ name: '#', code: 'a;b;c' }]],
  ['sep=~', 'sep=~\nName~Code\n#~a\n', [{ name: '#', code: 'a' }]],
  ['sep=; in quotes, with more delimiters', '"sep=;";\nName;Code\n#;a\n', [{ name: '#', code: 'a' }]],
  ['sep=; after a byte order mark', '\ufeffsep=;\nName;Code\n#;a\n', [{ name: '#', code: 'a' }]],
  ['a byte order mark', '\ufeffName,Code\n#,é\n', [{ name: '#', code: 'é' }]],
  ['UTF-16 LE', utf16('Name\tCode\nsixteen\té漢\n'), [{ name: 'sixteen', code: 'é漢' }]],
  ['UTF-16 BE', utf16('Name,Code\nswapped,é\n').swap16(), [{ name: 'swapped', code: 'é' }]],
  ['UTF-16 without a mark', utf16('Name,Code\nbare,é\n').subarray(2), [{ name: 'bare', code: 'é' }]],
  ['Windows-1252', latin('Name;Code\nwestern;Z\xfcrich \x80\n'), [{ name: 'western', code: 'Zürich €' }]],
  ['CRLF', 'Name,Code\r\n#,a\r\n', [{ name: '#', code: 'a' }]],
  ['CR', 'Name,Code\r#,a\r', [{ name: '#', code: 'a' }]],
  ['no newline at the end', 'Name,Code\n#,a', [{ name: '#', code: 'a' }]],
  ['empty lines', '\n\nName,Code\n\n#,a\n\n\n', [{ name: '#', code: 'a' }]],
  ['quotes in quotes', 'Name,Code\n#,"say ""hi"", all"\n', [{ name: '#', code: 'say "hi", all' }]],
  ['line breaks in cells', 'Name,Code\n#,"a\nb"\n', [{ name: '#', code: 'a\nb' }]],
  ['headers in any case, with spaces', ' NAME , code \n#,a\n', [{ name: '#', code: 'a' }]],
  ['columns of no attribute', 'Shoe,Name,\n36,#,x\n', [{ name: '#' }]],
]

const BROKEN: Case[] = [
  ['a row with too few cells', 'Name,Code\n#\n#b,c\n', [{ name: '#b', code: 'c' }], [[2, ['#']]]],
  [
    'a row with too many cells',
    'Name,Code\n#,a,b,c\n#b,c\n',
    [{ name: '#b', code: 'c' }],
    [[2, ['#', 'a', 'b', 'c']]],
  ],
  [
    'a quote inside a cell',
    'Name,Code\n#,5" pipe\n#b,c\n',
    [{ name: '#b', code: 'c' }],
    [[2, ['#', '5" pipe']]],
  ],
  [
    'a quote that is not closed',
    'Name,Code\n#,a\n"b,c\nd,e',
    [{ name: '#', code: 'a' }],
    [
      [3, ['"b', 'c']],
      [4, ['d', 'e']],
    ],
  ],
  ['a value that is wrong', 'Name,Amount\n#,many\n', [], [[2, ['#', 'many']]]],
]

const VALUES: Case[] = [
  ['leading zeros', 'Name,Code\n#,007\n', [{ name: '#', code: '007' }]],
  ['a plus sign', 'Name,Code\n#,+49151\n', [{ name: '#', code: '+49151' }]],
  ['an escaped formula', "Name,Code\n#,'=1+1\n", [{ name: '#', code: '=1+1' }]],
  ['blanks around texts and numbers', 'Name,Amount\n#, 5 \n', [{ name: '#', amount: 5 }]],
  ['empty cells', 'Name,Code,Amount,Day\n#,,,\n', [{ name: '#' }]],
  ['blank cells', 'Name,Amount,Day\n#,  , \n', [{ name: '#' }]],
  [
    'booleans',
    'Name,Active\n#0,yes\n#1,No\n#2,TRUE\n#3,false\n',
    [true, false, true, false].map((active, at) => ({ name: `#${at}`, active })),
  ],
  ['lists', 'Name,Tags\n#,a; b ;;c\n', [{ name: '#', tags: ['a', 'b', 'c'] }]],
  ['options in any case', 'Name,Stage\n#, won\n', [{ name: '#', stage: 'Won' }]],
  ['a long row', `Name,Code\n#,${LONG}\n`, [{ name: '#', code: LONG }]],
  ['a decimal comma that only this can be', 'Name;Amount\n#0;1,5\n#1;1.234\n', amounts(1.5, 1234)],
  ['a decimal point that only this can be', 'Name,Amount\n#0,1.5\n#1,"1,234"\n', amounts(1.5, 1234)],
  ['several groups of digits', 'Name;Amount\n#0;1.234.567\n#1;1.234\n', amounts(1234567, 1234)],
  ['spaces between groups of digits', 'Name;Amount\n#0;1 234,5\n', amounts(1234.5)],
  ['amounts with a sign', 'Name,Price\n#,"€ 1.200,50"\n', prices(1200.5, 'EUR')],
  ['amounts with a code', 'Name,Price\n#,chf 5\n', prices(5, 'CHF')],
  ['days as Y-M-D', 'Name,Day\n#0,2026-11-20\n#1,2026/1/2\n', days('2026-11-20', '2026-01-02')],
  ['days, a day above 12 first', 'Name,Day\n#0,31/12/2026\n#1,1/2/2026\n', days('2026-12-31', '2026-02-01')],
  ['days, a day above 12 second', 'Name,Day\n#0,12/31/26\n#1,1/2/26\n', days('2026-12-31', '2026-01-02')],
  ['days with dots', 'Name,Day\n#0,1.2.2026\n', days('2026-02-01')],
]

test.each([...WRITTEN, ...BROKEN, ...VALUES])('%s', async (...one) => {
  await expectAlike('US', one)
})

test.each<[Country, Case]>([
  ['US', ['point', 'Name,Amount\n#0,1.234\n', amounts(1.234)]],
  ['DE', ['thousand', 'Name;Amount\n#0;1.234\n', amounts(1234)]],
  ['US', ['thousand', 'Name,Amount\n#0,"1,234"\n', amounts(1234)]],
  ['DE', ['comma', 'Name;Amount\n#0;1,234\n', amounts(1.234)]],
  ['US', ['M/D/Y', 'Name,Day\n#0,1/2/2026\n', days('2026-01-02')]],
  ['DE', ['D/M/Y', 'Name,Day\n#0,1/2/2026\n', days('2026-02-01')]],
  ['DE', ['export', 'Name,Amount,createdAt\n#0,1.234,2026-01-01T00:00:00Z\n', amounts(1.234)]],
])('in %s, formats that the file does not show follow the country: %j', async (country, one) => {
  await expectAlike(country, one)
})

test('empty cells keep or clear values, as requested', async () => {
  const mark = `n${++made}`
  const fill = Buffer.from(`Name,Code,Amount,Tags,Active\n${mark},a,5,x;y,yes\n`)
  const empty = Buffer.from(`Name,Code,Amount,Tags\n${mark},, ,\n${mark}-new,,,\n`)
  for (const { org, read } of readers.US) {
    await read(fill)
    const dataOf = async () => {
      const path = `/objects/things/records?filter[name][equals]=${mark}`
      return (await org.get<{ records: { data: object }[] }>(path)).body.records.map(({ data }) => data)
    }
    const before = { name: mark, code: 'a', amount: 5, tags: ['x', 'y'], active: true }
    expect((await read(empty, { matchOn: 'name', empty: 'keep' })).failed).toEqual([])
    expect(await dataOf()).toEqual([before])
    expect((await read(empty, { matchOn: 'name', empty: 'clear' })).failed).toEqual([])
    expect(await dataOf()).toEqual([{ name: mark, active: true }])
  }
})
