import { EventEmitter } from 'node:events'
import { access } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type BenchCommand, parseArguments } from './arguments.ts'
import { type Bench, chosen, UsageError } from './bench.ts'
import { DOSES, QUICK_SECONDS } from './doses.ts'
import { compare, median, percentile, type Row } from './figures.ts'
import { Lab } from './lab.ts'
import { runBench } from './run.ts'
import { renderTable } from './table.ts'
import { parseTimes } from './usage.ts'

describe('median', () => {
  test.each([
    [[3], 3],
    [[10, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
  ])('of %j is %d', (values, expected) => expect(median(values)).toBe(expected))

  test('rejects an empty list', () => expect(() => median([])).toThrow(RangeError))
})

describe('percentile', () => {
  const hundred = Float64Array.from({ length: 100 }, (_, index) => index + 1)
  test.each([
    [0, 1],
    [0.5, 50],
    [0.99, 99],
    [0.991, 100],
    [1, 100],
  ])('%d of 1 to 100 is %d', (share, expected) => expect(percentile(hundred, share)).toBe(expected))

  test('rejects an empty list', () => expect(() => percentile(new Float64Array(), 0.5)).toThrow(RangeError))
})

describe('compare', () => {
  const ours = [700, 690, 710]

  test.each([
    [[1000], 0.7, true],
    [[1000], 0.71, false],
    [[500, 2000, 1000], 0.7, true],
  ])('with limits %j and target %d: met is %j', (limit, target, met) =>
    expect(compare({ case: 'GET', unit: 'requests/s', ours, limit, target })).toEqual({
      case: 'GET',
      figure: 700,
      unit: 'requests/s',
      limit: 1000,
      ratio: 0.7,
      target,
      met,
    }),
  )

  test('met is null without a target', () =>
    expect(compare({ case: 'GET', unit: 'ms', ours, limit: [350] })).toMatchObject({
      ratio: 2,
      target: null,
      met: null,
    }))

  test('ratio and met are null without a limit', () =>
    expect(compare({ case: 'GET', unit: 'ms', ours })).toMatchObject({ limit: null, ratio: null, met: null }))

  test('ratio and met are null with a limit of zero', () =>
    expect(compare({ case: 'GET', unit: 'ms', ours, limit: [0], target: 1 })).toMatchObject({
      ratio: null,
      met: null,
    }))
})

describe('renderTable', () => {
  const row: Row = {
    case: 'GET',
    figure: 11390,
    unit: 'requests/s',
    limit: 20000,
    ratio: 0.57,
    target: 0.7,
    met: false,
  }

  test('aligns the columns and leaves null values empty', () =>
    expect(
      renderTable([row, { ...row, figure: 0.5, limit: null, ratio: null, target: null, met: null }]),
    ).toBe(
      [
        '| case | figure | unit       |  limit | ratio | target | met |',
        '|------|-------:|------------|-------:|------:|-------:|-----|',
        '| GET  | 11,390 | requests/s | 20,000 |  0.57 |   0.70 | NO  |',
        '| GET  |    0.5 | requests/s |        |       |        |     |',
      ].join('\n'),
    ))
})

describe('parseArguments', () => {
  test.each([
    [[], 'list'],
    [['--help'], 'help'],
    [['http', '-h'], 'help'],
  ])('%j returns %s', (words, expected) => expect(parseArguments(words)).toBe(expected))

  test('uses the defaults for a name without options', () =>
    expect(parseArguments(['http'])).toEqual({
      name: 'http',
      json: undefined,
      page: undefined,
      options: {
        isQuick: false,
        ...{ seconds: 5, rounds: 5, connections: 64, only: [], profile: undefined },
        ...{ records: 1_000_000, background: 1_000_000 },
      },
    }))

  test('reads every option', () =>
    expect(
      parseArguments([
        ...['http', '--json', '/tmp/a.json', '--seconds', '2', '--rounds', '3'],
        ...['--page', '/tmp/p.md', '--connections=8', '--only', 'GET,bulk', '--profile', '/tmp/p'],
        ...['--records', '2000', '--background', '0'],
      ]),
    ).toEqual({
      name: 'http',
      json: '/tmp/a.json',
      page: '/tmp/p.md',
      options: {
        isQuick: false,
        ...{ seconds: 2, rounds: 3, connections: 8, only: ['GET', 'bulk'], profile: '/tmp/p' },
        ...{ records: 2000, background: 0 },
      },
    }))

  test('--quick shortens the rounds and reduces the records, unless options set them', () =>
    expect(parseArguments(['all', '--quick', '--rounds', '2'])).toMatchObject({
      name: 'all',
      options: { isQuick: true, seconds: 1, rounds: 2, records: 50_000, background: 50_000 },
    }))

  test('--quick uses the given dose, unless options set other values', () =>
    expect(
      parseArguments(['all', '--quick', '--rounds', '4'], { seconds: 2, rounds: 1, records: 1000 }),
    ).toMatchObject({ options: { seconds: 2, rounds: 4, records: 1000, background: 1000 } }))

  test.each([
    [['http', '--seconds', '0']],
    [['http', '--seconds', 'x']],
    [['records', '--records', '0']],
    [['http', '--speed', '1']],
    [['a', 'b']],
  ])('rejects %j', (words) => expect(() => parseArguments(words)).toThrow(UsageError))
})

describe('chosen', () => {
  const cases = [{ name: 'GET one' }, { name: 'list 50' }]
  test('returns all cases without --only', () => expect(chosen(cases, [])).toEqual(cases))
  test('returns the cases whose names contain one of the texts', () =>
    expect(chosen(cases, ['list', 'bulk'])).toEqual([{ name: 'list 50' }]))
  test('rejects unknown texts', () => expect(() => chosen(cases, ['x'])).toThrow('GET one, list 50'))
})

test('parseTimes accepts brackets and spaces in the name of the program', () =>
  expect(
    parseTimes('7 (postgres: a) (b) S 42 7 7 0 -1 4194560 1 2 3 4 150 50 30 20 20 0 11 0 319585 1 2'),
  ).toEqual({ parent: 42, ownMs: 2000, endedMs: 500 }))

test('the shares of all benches fit into the ten minutes of --quick', () => {
  const shares = Object.values(DOSES).map(({ shareSeconds }) => shareSeconds)
  expect(shares.reduce((sum, share) => sum + share)).toBeLessThanOrEqual(QUICK_SECONDS)
})

test('a bench is stopped when its time is over, and its folder is deleted', async () => {
  let folder = ''
  const endless: Bench = {
    name: 'endless',
    summary: '',
    run: (lab) => {
      folder = lab.folder
      return new Promise(() => undefined)
    },
  }
  const { options } = parseArguments(['endless']) as BenchCommand
  const running = runBench(endless, { options, json: undefined, secondsMax: 0.01 }, () => undefined)
  await expect(running).rejects.toThrow('It was stopped after 0 seconds')
  await expect(access(folder)).rejects.toThrow('ENOENT')
})

test('an unhandled rejection ends the bench and deletes its folder', async () => {
  const source = new EventEmitter()
  let folder = ''
  const broken: Bench = {
    name: 'broken',
    summary: '',
    run: async (lab) => {
      folder = lab.folder
      source.emit('unhandledRejection', new Error('connect ECONNREFUSED'))
      return new Promise(() => undefined)
    },
  }
  const { options } = parseArguments(['broken']) as BenchCommand
  const running = runBench(broken, { options, json: undefined, source }, () => undefined)
  await expect(running).rejects.toThrow('connect ECONNREFUSED')
  await expect(access(folder)).rejects.toThrow('ENOENT')
  expect(source.eventNames()).toEqual([])
})

describe('Lab', () => {
  const lab = (reported: string[]) => new Lab('/nonexistent/lab', (line) => reported.push(line))

  test('runs the last clean-up step first, and continues after a failure', async () => {
    const reported: string[] = []
    const one = lab(reported)
    one.onClose(async () => void reported.push('first'))
    one.onClose(async () => {
      throw new Error('broken')
    })
    one.onClose(async () => void reported.push('last'))
    await one.close()
    expect(reported).toEqual(['last', 'Error: broken', 'first'])
  })

  test('runs a clean-up step immediately when it is added after the close', async () => {
    const reported: string[] = []
    const one = lab(reported)
    await one.close()
    one.onClose(async () => void reported.push('late'))
    expect(reported).toEqual(['late'])
  })
})
