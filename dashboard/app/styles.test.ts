// Font sizes and colors are named tokens of styles.css.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const sheets = globSync('**/*.css', { cwd: root, exclude: ['dist*/**'] }).filter(
  (file) => file !== 'app/styles.css',
)

const filesWith = (literal: RegExp) =>
  sheets.filter((file) => literal.test(readFileSync(join(root, file), 'utf8')))

test('finds the style sheets', () => {
  expect(sheets.length).toBeGreaterThan(10)
})

test('no style sheet outside the theme has a literal font size', () => {
  expect(filesWith(/font(?:-size)?:[^;]*\d(?:px|rem|em)/)).toEqual([])
})

test('no style sheet outside the theme has a literal color', () => {
  expect(filesWith(/#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i)).toEqual([])
})

test('no sheet has more than 150 lines, and all sheets together have fewer than 3,500', () => {
  const lines = [...sheets, 'app/styles.css'].map((file) => ({
    file,
    count: readFileSync(join(root, file), 'utf8').split('\n').length - 1,
  }))
  expect(lines.filter(({ count }) => count > 150)).toEqual([])
  expect(lines.reduce((sum, { count }) => sum + count, 0)).toBeLessThan(3500)
})

const theme = readFileSync(join(root, 'app/styles.css'), 'utf8')

/** The light and the dark color of a token. */
function colorsOf(name: string): string[] {
  const [, light = '', dark = ''] =
    new RegExp(`--${name}: light-dark\\((#[\\da-f]{6}), (#[\\da-f]{6})\\)`).exec(theme) ?? []
  return [light, dark]
}

/** Relative luminance of WCAG 2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (bright + 0.05) / (dim + 0.05)
}

const places = (count: number, kind: string) =>
  Array.from({ length: count }, (_, place) => `${kind}-${place}`)

test.each([...places(9, 'series'), ...places(10, 'fill')])(
  '--%s has a contrast of 3:1 with the surface of a page, in light and dark',
  (name) => {
    const surfaces = colorsOf('surface')
    const ratios = colorsOf(name).map((color, place) => contrast(color, surfaces[place] ?? ''))
    expect(ratios.filter((ratio) => !(ratio >= 3))).toEqual([])
  },
)
