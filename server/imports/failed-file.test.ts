import { expect, test } from 'vitest'
import { failedFile } from './failed-file.ts'

const textOf = (headers: string[], cells: string[]) => {
  const file = failedFile(headers)
  return file.head + file.textOf([{ line: 7, error: 'Name: too long, cut it', cells }])
}

test.each([
  ['a whole row', ['a', 'b'], ['1', '2'], 'line,error,a,b\n7,"Name: too long, cut it",1,2\n'],
  ['too many cells', ['a', 'b'], ['1', '2', '3'], 'line,error,a,b\n7,"Name: too long, cut it",1,2,3\n'],
  ['too few cells', ['a', 'b'], ['1'], 'line,error,a,b\n7,"Name: too long, cut it",1\n'],
  ['text that no cell should be', ['a'], ['"x"y'], 'line,error,a\n7,"Name: too long, cut it","""x""y"\n'],
  ['an escaped formula, escaped once', ['a'], ["'=1"], 'line,error,a\n7,"Name: too long, cut it",\'=1\n'],
  [
    'a row that failed before',
    ['line', 'error', 'a'],
    ['3', 'old', '1'],
    'line,error,a\n7,"Name: too long, cut it",1\n',
  ],
  [
    'a column of the same name',
    ['a', 'error'],
    ['1', '2'],
    'line,error 2,a,error\n7,"Name: too long, cut it",1,2\n',
  ],
])('writes a file with %s', (_, headers, cells, text) => {
  expect(textOf(headers, cells)).toBe(text)
})
