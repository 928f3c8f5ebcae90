import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test.each([
  ['on this machine', {}, true],
  ['in production', { NODE_ENV: 'production' }, false],
  ['for other machines', { HOST: '0.0.0.0' }, false],
  ['with a database of the operator', { DATABASE_URL: 'postgres://u@h/d' }, false],
  ['in the directory of cells', { CELLS: 'eu=postgres://u@h/d' }, false],
])('whether a demo organization is made %s, with %o: %s', (_, env, expected) => {
  expect(readConfig(env).demo).toBe(expected)
})
