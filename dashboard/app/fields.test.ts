// Rules for every field and form of the dashboard.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const sources = globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['dist*/**', 'e2e/**', '**/*.test.ts'] })

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

test('finds the source files', () => {
  expect(sources.length).toBeGreaterThan(100)
})

test('no field has a maxLength: text that is too long gets an error instead of being cut', () => {
  const components = sources.filter((file) => file.endsWith('.tsx'))
  expect(components.filter((file) => /\bmaxLength[=:]/.test(textOf(file)))).toEqual([])
})

/** Forms of the dashboard that keep no draft, each with the reason. */
const WITHOUT_DRAFT: Readonly<Record<string, string>> = {
  'app/frame/sign-in-again.tsx': 'a password',
  'features/identity/forgot-password-page.tsx': 'before signing in',
  'features/identity/invitation-page.tsx': 'a password',
  'features/identity/new-organization-page.tsx': 'outside of any organization',
  'features/identity/reset-password-page.tsx': 'a password',
  'features/identity/sign-in-page.tsx': 'a password',
  'features/identity/sign-up-page.tsx': 'a password',
  'features/import/map/new-attribute.tsx': 'its dialog asks',
  'features/import/check/replace-dialog.tsx': 'its dialog asks',
  'features/records/selection/bulk-edit.tsx': 'its dialog asks',
  'features/records/merge/merge-with.tsx': 'a choice, no text',
  'features/records/paste/paste-dialog.tsx': 'a question, no text',
  'features/records/record/add-related.tsx': 'a choice, no text',
  'features/reports/builder/dialogs.tsx': 'its dialog asks',
  'features/reports/dashboards/add-report.tsx': 'a choice, no text',
  'features/reports/dashboards/tile-title.tsx': 'its dialog asks',
  'features/settings/profile/password-form.tsx': 'a password',
  'features/webhooks/deliveries/replay-dialog.tsx': 'its dialog asks',
  'features/workflows/secrets/secret-panel.tsx': 'a secret, about which its panel asks',
  'shared/confirm-box.tsx': 'a question',
  'shared/filters/condition-form.tsx': 'one condition, in a box',
  'shared/form/form.tsx': 'the form of all others',
  'shared/name-box.tsx': 'its dialog asks',
  'shared/records/inline-editor.tsx': 'saved when it is left',
  'shared/values/create-referenced.tsx': 'its dialog asks',
}

/** Matches a call of `useDataForm` up to the name of its first option. */
const CALL = /(?<!function )\buseDataForm(?:<[^(]*>)?\((?:\{\s*\w+)?/g

/** Finds forms without the shared form component, and forms without a draft: `draft` must be the first option. */
const isWithoutDraft = (text: string) =>
  /<form\b|component="form"/.test(text) || (text.match(CALL) ?? []).some((call) => !/\{\s*draft$/.test(call))

test('counts a form as one without a draft unless its first option is `draft`', () => {
  expect(isWithoutDraft('const form = useDataForm<{ draft: Draft }>({ initial: { draft: 1 } })')).toBe(true)
  expect(isWithoutDraft('useDataForm(options)')).toBe(true)
  expect(isWithoutDraft('useDataForm<Fields>({\n  draft: key, initial })')).toBe(false)
})

/** Forms without the shared form component, each with the reason. */
const OWN_FORMS: Readonly<Record<string, string>> = {
  'app/frame/sign-in-again.tsx': 'password managers read and fill its fields',
  'features/identity/forgot-password-page.tsx': 'password managers fill its field',
  'features/identity/invitation-page.tsx': 'password managers read and fill its fields',
  'features/identity/new-organization-page.tsx': 'one field, on a page like those of sign-in',
  'features/identity/reset-password-page.tsx': 'password managers read and fill its fields',
  'features/identity/sign-in-page.tsx': 'password managers read and fill its fields',
  'features/identity/sign-up-page.tsx': 'password managers read and fill its fields',
  'features/records/paste/paste-dialog.tsx': 'no field, and its button can be focused while it is off',
  'features/records/selection/bulk-edit.tsx': 'several requests, with their progress and failures',
  'features/reports/builder/dialogs.tsx': 'the builder has the state of its request',
  'features/settings/profile/password-form.tsx': 'password managers read and fill its fields',
  'shared/filters/condition-form.tsx': 'part of a popover: it sends nothing',
  'shared/form/form.tsx': 'the form of all others',
  'shared/records/inline-editor.tsx': 'saves when the focus leaves it',
}

test('every form uses the shared form component or is listed with a reason', () => {
  const own = sources.filter((file) => /<form\b|component="form"/.test(textOf(file)))
  expect(own.toSorted()).toEqual(Object.keys(OWN_FORMS).toSorted())
})

test('every form keeps a draft or is listed with a reason', () => {
  expect(sources.filter((file) => isWithoutDraft(textOf(file))).toSorted()).toEqual(
    Object.keys(WITHOUT_DRAFT).toSorted(),
  )
})
