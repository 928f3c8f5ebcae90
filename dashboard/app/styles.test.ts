// Font sizes and colors have names, which styles.css gives them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const sheets = globSync('**/*.css', { cwd: root, exclude: ['dist*/**'] }).filter(
  (file) => file !== 'app/styles.css',
)

const filesWith = (literal: RegExp) =>
  sheets.filter((file) => literal.test(readFileSync(join(root, file), 'utf8')))

test('sheets are found', () => {
  expect(sheets.length).toBeGreaterThan(10)
})

test('no font size outside the theme', () => {
  expect(filesWith(/font(?:-size)?:[^;]*\d(?:px|rem|em)/)).toEqual([])
})

test('no color outside the theme', () => {
  expect(filesWith(/#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i)).toEqual([])
})

test('no sheet has more than 150 lines, and all together fewer than 3,500', () => {
  const lines = [...sheets, 'app/styles.css'].map((file) => ({
    file,
    count: readFileSync(join(root, file), 'utf8').split('\n').length - 1,
  }))
  expect(lines.filter(({ count }) => count > 150)).toEqual([])
  expect(lines.reduce((sum, { count }) => sum + count, 0)).toBeLessThan(3500)
})
