import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './parts.ts'
import { drawn } from './run-vitest.ts'
import { suiteSeeds } from './seed.ts'

test('each run sets one seed for every suite that otherwise draws a new seed per try', () => {
  const paths = globSync('server/**/*.ts', { cwd: ROOT })
  const texts = paths.map((path) => readFileSync(join(ROOT, path), 'utf8'))
  const drawing = texts.flatMap((text) =>
    [...text.matchAll(/(\w+_SEED)'.*Date\.now\(\) %/g)].map(([, name]) => name),
  )
  const { env = {} } = drawn({ args: [] })
  expect(drawing.length).toBeGreaterThan(0)
  expect(Object.keys(env).sort()).toEqual(drawing.sort())
  expect(Object.values(env)).toEqual(drawing.map(() => expect.stringMatching(/^\d{1,6}$/)))
})

test('a given seed is kept', () => {
  expect(suiteSeeds({ LEDGER_SEED: '7' })).toMatchObject({ LEDGER_SEED: '7' })
})
