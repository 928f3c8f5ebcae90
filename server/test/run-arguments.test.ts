import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import config from '../../vitest.config.ts'
import { ROOT, TEST, VERIFY } from './parts.ts'
import { parseTestArguments, type TestRun } from './run-arguments.ts'

const all = [...TEST.projects]
const verified = [...VERIFY.projects]
const wordsOf = (line: string) => line.split(' ').filter((word) => word !== '')

describe('npm test', () => {
  test.each([
    ['', true, [all]],
    ['static', true, []],
    ['server', false, [['--project=server', '--project=isolated']]],
    ['journeys', false, [['--project=journeys']]],
    ['static server', true, [['--project=server', '--project=isolated']]],
    ['journeys server journeys', false, [['--project=journeys'], ['--project=server', '--project=isolated']]],
    ['journeys -t palette', false, [['--project=journeys', '-t', 'palette']]],
    ['static journeys --bail=1', true, [['--project=journeys', '--bail=1']]],
    ['server/records', false, [[...all, 'server/records']]],
    ['server/records -t cursor', false, [[...all, 'server/records', '-t', 'cursor']]],
    ['-t server', false, [[...all, '-t', 'server']]],
    ['--testNamePattern static cli', false, [[...all, 'cli', '--testNamePattern', 'static']]],
  ])('%s: static %j, vitest %j', (line, isStatic, args) => {
    const run = { isStatic, runs: args.map((one) => ({ args: one })) }
    expect(parseTestArguments(TEST, wordsOf(line))).toEqual({ run })
  })

  test.each([
    [
      ['server', 'server/records'],
      'name either parts or paths: npm test -- server, or npm test -- server/records',
    ],
    [['static', '-t', 'x'], 'static checks take no options: leave out -t x'],
  ])('%j is refused', (words, refusal) => {
    expect(parseTestArguments(TEST, words)).toEqual({ refusal })
  })
})

describe('npm run verify', () => {
  const env = { TEST_START: 'now' }
  test.each([
    ['cells browser', [['--project=cells'], ['--project=browser']]],
    ['thresholds', [['--project=thresholds', '--no-file-parallelism']]],
    ['server/cells -t moves', [[...verified, 'server/cells', '-t', 'moves']]],
  ])('%s: vitest %j', (line, args) => {
    const run = { isStatic: false, runs: args.map((one) => ({ args: one, env })) }
    expect(parseTestArguments(VERIFY, wordsOf(line))).toEqual({ run })
  })

  test('runs tests of random values with a random seed, and tests of dates at seven times', () => {
    const [seeds, dates] = ['seeds', 'dates'].map((part) => VERIFY.parts[part]?.runs ?? [])
    for (const run of [seeds, VERIFY.parts['exhaustive']?.runs])
      expect(run).toMatchObject([{ env: { TEST_SEED: 'random' } }])
    expect(seeds?.[0]?.args).toContain('server/records/filters/filters.test.ts')
    expect(new Set(dates?.map((run) => run.env?.['TEST_START'])).size).toBe(7)
  })
})

describe.each([TEST, VERIFY])('$name', (command) => {
  test.each([[['--help']], [['server', '-h']]])(
    '%j: help names every part and the line of counts',
    (words) => {
      const { help = '' } = parseTestArguments(command, words) as { help?: string }
      for (const part of Object.keys(command.parts)) expect(help).toContain(`${command.name} -- ${part}`)
      expect(help).toContain('N passed, N failed')
    },
  )

  test('without arguments runs each project of its parts once', () => {
    const { run } = parseTestArguments(command, []) as { run: TestRun }
    const projectsOf = (runs: readonly { args: readonly string[] }[]) =>
      runs.flatMap(({ args }) => args.filter((one) => one.startsWith('--project='))).sort()
    const parts = Object.values(command.parts).flatMap(({ runs }) => runs)
    expect(projectsOf(run.runs)).toEqual(projectsOf(parts))
    expect(projectsOf(run.runs)).toEqual(expect.arrayContaining([...command.projects]))
  })
})

test('every file of npm run verify belongs to a part', () => {
  const parts = verified.map((project) => `.${project.replace('--project=', '')}.verify.ts`)
  const files = globSync('{contract,server,cli,bench,dashboard}/**/*.*.ts', { cwd: ROOT })
  const verifying = files.filter((file) => file.includes('.verify.'))
  expect(verifying.length).toBeGreaterThan(100)
  expect(verifying.filter((file) => !parts.some((part) => file.endsWith(part)))).toEqual([])
})

test('both commands together run all projects', () => {
  const projects = config.test?.projects ?? []
  const names = projects.map((project) => (project as { test: { name: string } }).test.name)
  expect([...all, ...verified].sort()).toEqual(names.map((name) => `--project=${name}`).sort())
})
