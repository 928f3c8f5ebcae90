// The dashboard shows every message of the service as a sentence for people, without JSON, paths, slugs and settings.
import { describe, expect, test } from 'vitest'
import { DASHBOARD_PROBLEM_CODES, PROBLEM_CODES } from '../../../contract/problem-codes.ts'
import { attributeWords } from '../../../dashboard/shared/api/attribute-words.ts'
import { problemWords } from '../../../dashboard/shared/api/problem-words.ts'
import { refusalWords } from '../../../dashboard/shared/api/refusal-words.ts'
import { type Message, messages } from './places.ts'

/** Files whose messages no page receives, each with its reason. */
const NO_PAGES: readonly (readonly [RegExp, string])[] = [
  [/^cli\//, 'the command line'],
  [/^server\/attachments\/stored-files\.ts/, 'files of programs, which no page deletes'],
  [/^server\/cells\/(?:move|service)/, 'commands for cells'],
  [/^server\/http\/metrics\.ts/, 'the metrics, for programs'],
  [
    /^server\/records\/(?:import\/|bulk\/row-checks\.ts)/,
    'the command and the API, which name columns themselves',
  ],
  [/^server\/records\/bulk\/row-faults\.ts/, 'faults of rows, which have separate codes and words'],
  [/^server\/record-jobs\//, 'jobs of the API, which no page starts'],
  [/^server\/imports\/settings\.ts/, 'pages of imports offer only what goes together'],
  [/^server\/workflows\/(?:check|steps)\//, 'the editor of workflows has separate words'],
]

/** Placeholders of values that are names of the API or parts of a request. */
const UNKNOWN = /‹[^›]*(?:slug|path|\bid\b|Id\b|encoding|JSON|bucket|wanted|contentType|method)[^›]*›/i

const OF_PROGRAMS =
  /[{}[\]]|"\w+":|\b[A-Z]+_[A-Z_]+\b|\b[a-z]+_[a-z]+\b|\b[a-z]+[A-Z]\w*\b|\b(?:Content-Type|Authorization|Idempotency-Key|If-Match|cursor|JSON|null|undefined)\b|^Send\b|\bmust be (?:a string|an object|an array|true or false)\b|\ba value of the attribute\b|\ball in the body\b/

/** Removes names of products and units with inner capitals. */
const names = (text: string) => text.replaceAll(/\b(?:OpenSSL|PostgreSQL|MiB|KiB)\b/g, '')

const isForPeople = (text: string) =>
  /^[A-Z“"‹\d]/.test(text) && !UNKNOWN.test(text) && !OF_PROGRAMS.test(names(text).replaceAll(/‹[^›]*›/g, ''))

const shown = messages().filter(({ file }) => !NO_PAGES.some(([pattern]) => pattern.test(file)))

const of = (kind: Message['kind']) => shown.filter((message) => message.kind === kind)

const pairs = (found: readonly Message[]) =>
  found.flatMap(({ file, codes, texts }) =>
    (codes.length > 0 ? codes : ['‹unknown›']).flatMap((code) =>
      texts.map((message) => ({ file, code, message })),
    ),
  )

const faults = (words: readonly (readonly [file: string, words: string])[]) => [
  ...new Set(words.filter(([, text]) => !isForPeople(text)).map(([file, text]) => `${file}: ${text}`)),
]

describe('the dashboard shows', () => {
  test('every refusal in words for people', () => {
    const refusals = pairs(of('refusal'))
    expect(refusals.length).toBeGreaterThan(150)
    expect(new Set(refusals.map(({ code }) => code)).size).toBeGreaterThan(30)
    expect(faults(refusals.map(({ file, ...one }) => [file, refusalWords(one)] as const))).toEqual([])
  })

  test('every problem with a value in words for people', () => {
    const worded: readonly string[] = [...PROBLEM_CODES, ...DASHBOARD_PROBLEM_CODES]
    const problems = pairs(of('problem')).filter(({ code }) => worded.includes(code))
    expect(problems.length).toBeGreaterThan(150)
    expect(
      faults(
        problems.map(({ file, ...one }) => [file, problemWords({ path: 'records[1].data.email', ...one })]),
      ),
    ).toEqual([])
  })

  test('values that a restored record loses, by the name of the attribute', () => {
    const notes = of('note').filter(({ file }) => /records\/(?:trash|undo)\//.test(file))
    const texts = notes.flatMap((one) => one.texts.map((message) => ({ file: one.file, message })))
    const attributes = [{ slug: 'job_title', name: 'Job title' }]
    expect(texts.length).toBeGreaterThan(10)
    for (const { message } of texts)
      expect(attributeWords({ attributeSlug: 'job_title', message }, attributes)).toMatch(
        /^Job title: [a-z][^‹_]*[^.]$/,
      )
  })

  test.each([
    [
      'not_found',
      'No such record: check the id, it may have been deleted',
      'This record does not exist, or no longer',
    ],
    [
      'slug_conflict',
      'The slug projects is taken by another object: choose another slug',
      'This slug is taken: choose another one',
    ],
    [
      'option_in_use',
      '1 record has "Lost": name it in from of another option, or in clear',
      '1 record has "Lost": choose what its records get instead',
    ],
    [
      'name_taken',
      'Another report has the name "Won": choose another name',
      'Another report has the name "Won": choose another name',
    ],
    [
      'rate_limit_exceeded',
      'An organization can send at most 100 emails a day (UTC): try again tomorrow, or ask the operator to raise MAILS_PER_DAY',
      'An organization can send at most 100 emails a day (UTC): try again tomorrow, or ask the operator for more',
    ],
    [
      'payload_too_large',
      'A file can have at most 52428800 bytes: send a smaller one',
      'This is too large: 50 MB at most',
    ],
  ])('%s: %s', (code, message, words) => expect(refusalWords({ code, message })).toBe(words))
})
