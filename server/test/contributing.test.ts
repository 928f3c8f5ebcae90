// Checks CONTRIBUTING.md and ARCHITECTURE.md: the paths in them exist, and the lists of steps stay short.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Every `path/of/a/file.ts` and `folder/` in backquotes. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\/|\.(?:tsx?|md|css)))`/g)]
    .map(([, path = '']) => path)
    .filter((path) => path.includes('/'))

const exists = (path: string) => existsSync(join(root, path))

describe('CONTRIBUTING.md', () => {
  const [, ...sections] = read('CONTRIBUTING.md').split(/^### /m)
  const lists = new Map(
    sections.map((section) => [section.split('\n')[0] ?? '', section.match(/^\d+\. .*$/gm) ?? []] as const),
  )

  test.each([
    ['An attribute type', 4, 9],
    ['A type whose values are ids', 4, 9],
    ['A workflow step', 4, 8],
    ['A filter operator', 4, 5],
    ['An endpoint', 4, 5],
    ['A kind of trash', 3, 6],
    ['A service, or a hook', 2, 3],
    ['A migration', 4, 1],
    ['A page of the dashboard', 3, 6],
  ])('%s takes at most %j steps and names at most %j paths, which exist', (title, stepsMax, pathsMax) => {
    const steps = lists.get(title) ?? []
    const paths = steps.flatMap(pathsIn)
    expect(paths.filter((path) => !exists(path))).toEqual([])
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.length).toBeLessThanOrEqual(pathsMax)
    expect(steps.length).toBeLessThanOrEqual(stepsMax)
  })

  test('has exactly these nine lists', () => {
    expect(lists.size).toBe(9)
  })

  test('names scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const named = [...read('CONTRIBUTING.md').matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script)
    expect(named).toContain('dev')
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([])
  })
})

describe('ARCHITECTURE.md', () => {
  const text = read('ARCHITECTURE.md')

  test('names paths that exist', () => {
    expect(pathsIn(text).filter((path) => !exists(path))).toEqual([])
  })

  test('has one line for each folder of the server and the dashboard', () => {
    const folders = globSync(['server/*/', 'dashboard/*/'], {
      cwd: root,
      exclude: ['dashboard/{dist*,public}'],
    })
    const cells = [...text.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) => cell.split(', '))
    const named = cells.filter((one) => /^`(?:server|dashboard)\/[\w-]+\/`$/.test(one))
    expect(named.sort()).toEqual(folders.map((folder) => `\`${folder.replace(/\/?$/, '/')}\``).sort())
  })

  test('has at most ten ideas of at most three sentences', () => {
    const ideas = text.match(/^\d+\. .*$/gm) ?? []
    expect(ideas.length).toBeGreaterThan(0)
    expect(ideas.length).toBeLessThanOrEqual(10)
    for (const idea of ideas) {
      const said = idea.replace(/^\d+\. \*\*.*?\*\*/, '').replaceAll(/`[^`]*`/g, '')
      expect((said.match(/\.(?:\s|$)/g) ?? []).length, idea).toBeLessThanOrEqual(3)
    }
  })
})
