import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const styles = join(root, '../node_modules/@mantine/core/styles')
const list = readFileSync(join(root, 'app/mantine-styles.ts'), 'utf8')
const included = [...list.matchAll(/core\/styles\/(\w[\w-]*)\.css/g)].map(([, name = '']) => name)

const textOf = (name: string) => readFileSync(join(styles, `${name}.css`), 'utf8').trim()

test('the styles of every component that a page uses are imported', () => {
  const files = globSync('**/*.tsx', { cwd: root, exclude: ['dist*/**'] })
  const imports = files.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g),
  ])
  const names = new Set(imports.flatMap(([, found = '']) => found.split(',').map((name) => name.trim())))
  expect(names.size).toBeGreaterThan(20)
  const styled = [...names].filter((name) => name !== '' && existsSync(join(styles, `${name}.css`)))
  expect(styled.filter((name) => !included.includes(name))).toEqual([])
})

test('the imports follow Mantine’s order, which decides between rules', () => {
  const whole = readFileSync(join(styles, '../styles.css'), 'utf8')
  const places = included.map((name) => whole.indexOf(textOf(name).slice(0, 60)))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
})
