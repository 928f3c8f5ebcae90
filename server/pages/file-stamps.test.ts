// Stamps of files in a temporary folder.
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type FileStamps, isUnchanged, stampsOf } from './file-stamps.ts'

const root = mkdtempSync(join(tmpdir(), 'rapport-stamps-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const CHANGED_AT = new Date('2026-06-10T12:00:00Z')
const file = (name: string) => join(root, name)
const setTime = (name: string, at = CHANGED_AT) => utimesSync(file(name), at, at)

let stamps: FileStamps
beforeEach(() => {
  rmSync(file('b.ts'), { force: true })
  writeFileSync(file('a.ts'), 'first')
  setTime('a.ts')
  setTime('.')
  stamps = stampsOf(root, ['.', 'a.ts', 'missing.ts'])
})

test('stamps have the time of the last change and the size; missing files are left out', () => {
  expect(stamps['a.ts']).toEqual([CHANGED_AT.getTime(), 5])
  expect(Object.keys(stamps)).toEqual(['.', 'a.ts'])
  expect(isUnchanged(root, stamps)).toBe(true)
})

test.each([
  {
    name: 'a file of the same size that was written later',
    change: () => {
      writeFileSync(file('a.ts'), 'other')
      setTime('a.ts', new Date(CHANGED_AT.getTime() + 1))
    },
  },
  {
    name: 'a file of another size with the same time',
    change: () => {
      writeFileSync(file('a.ts'), 'longer text')
      setTime('a.ts')
    },
  },
  { name: 'a file that was removed', change: () => rmSync(file('a.ts')) },
  { name: 'a file that was added to a folder', change: () => writeFileSync(file('b.ts'), '') },
])('isUnchanged detects $name', ({ change }) => {
  change()
  expect(isUnchanged(root, stamps)).toBe(false)
})
