import { glob, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { DASHBOARD_PROBLEM_CODES, PROBLEM_CODES } from '../../../contract/problem-codes.ts'
import { ApiError, fieldErrors, messageOf } from './errors.ts'
import { problemWords } from './problem-words.ts'

const words = (code: string, message = 'Send {"amount":1200.5}') =>
  problemWords({ path: 'data.x', code, message })

test.each(PROBLEM_CODES)('%s has words for people, without JSON or slugs', (code) => {
  expect(words(code)).toMatch(/^[A-Z]/)
  expect(words(code)).not.toMatch(/[{}"[\]_]|\bSend\b|\bmust\b/)
})

test.each(DASHBOARD_PROBLEM_CODES)('%s shows the message of the service', (code) => {
  expect(words(code, 'the file is a PDF document')).toBe('The file is a PDF document')
})

test('the list has every problem code of the service', async () => {
  const known: readonly string[] = [...PROBLEM_CODES, ...DASHBOARD_PROBLEM_CODES]
  const missing: string[] = []
  for await (const file of glob('server/**/*.ts')) {
    if (/test|verify|fixture/.test(file)) continue
    const source = await readFile(file, 'utf8')
    for (const [, code = ''] of source.matchAll(/code: '(\w+)',\s*message\b/g))
      if (!known.includes(code)) missing.push(`${code} in ${file}`)
  }
  expect(missing).toEqual([])
})

describe('words', () => {
  test('name the limit that was exceeded', () => {
    expect(words('maxLength', 'must not have more than 200 characters')).toBe('Use at most 200 characters')
    expect(words('invalid_length', 'must be 8 to 128 characters')).toBe('Use 8 to 128 characters')
  })

  test('name an invisible character', () => {
    const message = 'Send one email address. The text contains U+200B: leave this character out.'
    expect(words('invalid_email', message)).toBe(
      'Enter an email address, such as ada@example.com. Delete the invisible character U+200B',
    )
  })

  test('are general for an unknown code', () => {
    expect(words('something_new')).toBe('This cannot be saved as it is: check it and try again')
    expect(words('toString')).toBe('This cannot be saved as it is: check it and try again')
  })

  test('replace the messages of the API in forms and toasts', () => {
    const errors = [{ path: 'data.price', code: 'invalid_currency', message: 'Send {"amount":1200.5}' }]
    const refusal = new ApiError(400, { error: 'validation_error', message: 'no', details: { errors } })
    expect(messageOf(refusal)).toBe('Enter an amount, such as 12,500.50, and choose a currency')
    expect(fieldErrors(refusal, 'data.')).toEqual({ price: messageOf(refusal) })
  })
})

test('an expensive query gets a message for people, without parameter names', () => {
  const message =
    'This list or search takes longer than 5 s: omit the total with count=false, or SEARCH_SECONDS_MAX'
  const refusal = new ApiError(422, { error: 'query_too_expensive', message })
  expect(messageOf(refusal)).toMatch(/^This takes too long for so many records\./)
  expect(messageOf(refusal)).not.toMatch(/count=|_/)
})
