import { describe, expect, test } from 'vitest'
import { EmbeddedError, explainFailure } from './error.ts'

describe('explainFailure', () => {
  test.each([
    ['initdb: error: could not write file "/d/x": No space left on device', /disk that holds \/d is full/],
    [new Error("EACCES: permission denied, mkdir '/d'"), /This account cannot write to \/d/],
    [new Error("EROFS: read-only file system, mkdir '/d'"), /read-only disk/],
    [new Error("ENOTDIR: not a directory, mkdir '/d/x'"), /\/d is not a folder/],
    [new Error('database or disk is full'), /disk that holds \/d is full/],
    [
      new Error("ENOENT: no such file or directory, mkdir '/d'"),
      /\/d is a link to a folder that does not exist/,
    ],
    ['LOG:  starting\nFATAL:  wrong thing\nHINT:  later', /^It failed in \/d: wrong thing$/],
    ['WARNING:  permission denied somewhere\nFATAL:  wrong thing', /^It failed in \/d: wrong thing$/],
    ['one\nlast', /^It failed in \/d: last$/],
    ['', /^It failed in \/d: without a message$/],
  ])('%s', (failure, message) => {
    const error = explainFailure('It failed', failure, '/d')
    expect(error).toBeInstanceOf(EmbeddedError)
    expect(error.message).toMatch(message)
    expect(error.message).not.toContain('\n')
  })

  test('an explained failure is returned unchanged', () => {
    const error = new EmbeddedError('Do this.', 'log')
    expect(explainFailure('It failed', error, '/d')).toBe(error)
  })
})
