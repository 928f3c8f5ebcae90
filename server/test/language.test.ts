// Numbers, dates and lists have the language of the text around them: all formats come from contract/language.ts.
import { describe, expect, test } from 'vitest'
import { modules } from './imports.ts'

const TEST = /\.(?:test|verify|fixture)\.tsx?$|^dashboard\/e2e\/|^server\/test\/|^bench\//

/** Files that format or read values other than for the text of our pages and messages, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'contract/language.ts': 'it is the place',
  'contract/values.ts': 'a sentence of the API document',
  'dashboard/features/identity/form/guess-region.ts': 'asks the browser for its time zone',
  'dashboard/shared/values/currency-signs.ts': 'reads what is typed',
  'dashboard/shared/values/number-editor.tsx': 'shows a number as it is typed',
  'dashboard/shared/values/read-day.ts': 'reads what is typed',
  'dashboard/shared/values/read-number.ts': 'reads what is typed',
  'contract/named-day.ts': 'reads names of months in many languages',
  'dashboard/shared/time-zone.ts': 'asks whether there is a time zone',
  'dashboard/ui/dates.ts': 'asks the browser for its clock of 12 or 24 hours',
  'server/identity/new-organization.ts': 'asks whether there is a time zone',
  'server/imports/content.ts': 'reads files as a country writes them',
  'server/pages/first-home.ts': 'the hour of a time zone, as a number',
  'server/records/values/country.ts': 'reads names of countries in many languages',
  'server/reports/plan/groups.ts': 'asks whether there is a time zone',
  'server/reports/plan/relative-dates.ts': 'a day of a time zone, in the form of ISO 8601',
  'server/workflows/interpreter/number-functions.ts': 'a function of templates, whose form is documented',
}

const FORMATS =
  /new Intl\.(?:NumberFormat|DateTimeFormat|RelativeTimeFormat|ListFormat|DisplayNames)\(|\.toLocale(?:Date|Time)?String\(/

const formatting = modules
  .filter(({ file, text }) => !TEST.test(file) && FORMATS.test(text))
  .map(({ file }) => file)

describe('formats of numbers, dates and lists', () => {
  test('are found', () => expect(formatting).toContain('contract/language.ts'))

  test('are made in one place', () =>
    expect(formatting.filter((file) => !Object.hasOwn(EXCEPTIONS, file))).toEqual([]))

  test('have no unused exceptions', () =>
    expect(Object.keys(EXCEPTIONS).filter((file) => !formatting.includes(file))).toEqual([]))
})

const CHOICE = /=== 1\s*\?\s*(?:'1 |`1 |'[a-z]*'\s*:\s*'[a-z]*s'|''\s*:\s*'s')/

test('only contract/counted.ts chooses between singular and plural', () => {
  const others = modules.filter(
    ({ file, text }) => !TEST.test(file) && file !== 'contract/counted.ts' && CHOICE.test(text),
  )
  expect(others.map(({ file }) => file)).toEqual([])
})
