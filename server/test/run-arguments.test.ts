import { expect, test } from 'vitest'
import config from '../../vitest.config.ts'
import { PARTS, parseTestArguments } from './run-arguments.ts'

const { server, browser, faults } = PARTS

test.each([
  ['', true, [[]]],
  ['static', true, []],
  ['server', false, [server]],
  ['browser', false, [browser]],
  ['faults', false, [faults]],
  ['static server', true, [server]],
  ['faults browser faults', false, [faults, browser]],
  ['browser -t palette', false, [[...browser, '-t', 'palette']]],
  ['static server --bail=1', true, [[...server, '--bail=1']]],
  ['server/records', false, [['server/records']]],
  ['server/records -t cursor', false, [['server/records', '-t', 'cursor']]],
  ['-t server', false, [['-t', 'server']]],
  ['--testNamePattern static cli', false, [['cli', '--testNamePattern', 'static']]],
])('npm test -- %s: static %j, vitest %j', (line, isStatic, vitest) => {
  const words = line.split(' ').filter((word) => word !== '')
  expect(parseTestArguments(words)).toEqual({ run: { isStatic, vitest, hasSecondTry: false } })
  const withSecondTry = parseTestArguments([...words, '--second-try'])
  expect(withSecondTry).toEqual({ run: { isStatic, vitest, hasSecondTry: true } })
})

test.each([
  [
    ['server', 'server/records'],
    'name either parts or paths: npm test -- server, or npm test -- server/records',
  ],
  [['static', '-t', 'x'], 'static checks take no options: leave out -t x'],
])('%j is refused', (words, refusal) => {
  expect(parseTestArguments(words)).toEqual({ refusal })
})

test.each([[['--help']], [['browser', '-h']]])(
  '%j: help names every part and the line of counts',
  (words) => {
    const { help = '' } = parseTestArguments(words) as { help?: string }
    for (const part of Object.keys(PARTS)) expect(help).toContain(`npm test -- ${part}`)
    expect(help).toContain('N passed, N failed')
  },
)

test('the parts together are all tests', () => {
  const projects = config.test?.projects ?? []
  const names = projects.map((project) => (project as { test: { name: string } }).test.name)
  expect(names.length).toBeGreaterThan(1)
  expect([...server, ...browser, ...faults].sort()).toEqual(names.map((name) => `--project=${name}`).sort())
})
