// Every text of the dashboard, found by the syntax of its sources, is held to the rules of our words.
import { describe, expect, test } from 'vitest'
import { RULES } from './rules.ts'
import { pageTexts } from './texts.ts'

/** Texts that break a rule on purpose, as "rule: file", each with its reason; one that is no longer needed fails. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'is not in sentence case: dashboard/features/settings/keys/device-name.ts': 'the name of a browser',
  'is not in sentence case: dashboard/features/webhooks/catalogue/schema-table.tsx': 'a name: JSON Schema',
  'is not in sentence case: dashboard/features/webhooks/endpoints/endpoint-state.ts': 'a status of HTTP',
  'is not in sentence case: dashboard/features/workflows/forms/function-calls.ts': 'a format of dates',
  'is not in sentence case: dashboard/features/workflows/secrets/secret-panel.tsx': 'the name of a secret',
  'has a word of the API: dashboard/features/portal/frame/portal-closed.tsx':
    'for programs that link to the portal',
  'has a word of the API: dashboard/features/portal/portal-frame.tsx': 'for programs that link to the portal',
  'has a word of the API: dashboard/features/settings/objects/attribute-table.tsx': 'slugs are chosen there',
  'has a word of the API: dashboard/features/settings/objects/other-slug.tsx': 'slugs are chosen there',
  'has a word of the API: dashboard/features/settings/objects/object-table.tsx': 'slugs are chosen there',
  'has a word of the API: dashboard/features/webhooks/catalogue/schema-table.tsx':
    'for developers of receivers',
  'has a word of the API: dashboard/features/webhooks/endpoints/endpoint-panel.tsx':
    'for developers of receivers',
  'has a word of the API: dashboard/features/workflows/forms/any-value.ts': 'a field for JSON',
  'has a word of the API: dashboard/features/workflows/run/data-part.tsx': 'shown to those who ask for it',
  'has a word of the API: dashboard/features/workflows/run/parameters.ts': 'a field for JSON',
  'has a word of the API: dashboard/shared/api/refusal-words.ts': 'of a slug that was chosen',
}

const texts = pageTexts()

const broken = RULES.map(({ title, faults }) => ({
  title,
  found: texts.flatMap(({ file, line, text }) =>
    faults(text).map((fault) => ({ key: `${title}: ${file}`, words: `${file}:${line} [${fault}] ${text}` })),
  ),
}))

describe('the texts of the dashboard', () => {
  test('are found', () => {
    expect(texts.length).toBeGreaterThan(1500)
    expect(texts.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Discard', 'Delete permanently', 'This object has no records.']),
    )
  })

  test.each(broken)('none $title', ({ found }) =>
    expect(found.filter(({ key }) => !Object.hasOwn(EXCEPTIONS, key)).map(({ words }) => words)).toEqual([]),
  )

  test('have no exception without need', () => {
    const keys = new Set(broken.flatMap(({ found }) => found.map(({ key }) => key)))
    expect(Object.keys(EXCEPTIONS).filter((key) => !keys.has(key))).toEqual([])
  })
})

describe('the rules', () => {
  const faultsOf = (title: string, text: string) =>
    RULES.find((rule) => rule.title.includes(title))?.faults(text) ?? []

  test.each([
    ['successfully', 'Saved successfully', ['successfully']],
    ['exclamation', 'Done!', ['!']],
    ['sentence case', 'Create New Record', ['New', 'Record']],
    ['sentence case', 'Settings → API keys. Open Monday', []],
    ['British', 'Choose a colour', ['colour']],
    ['API', 'Give the slug of first_name', ['slug', 'first_name']],
    ['only we use', 'It is deleted at once', ['at once']],
    ['plural', '‹rows.length› rows', ['‹rows.length› rows']],
    ['plural', "‹counted(rows.length, 'row')› left", []],
  ])('%s: %j', (title, text, faults) => expect(faultsOf(title, text)).toEqual(faults))
})
