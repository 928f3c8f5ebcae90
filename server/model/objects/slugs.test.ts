import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SLUG_PATTERN } from '../../../contract/attribute-types.ts'
import { anyText } from '../../test/any-text.ts'
import { freeSlug, slugFrom } from './slugs.ts'

describe('slugFrom', () => {
  test.each([
    ['Projects', 'projects'],
    ['Job title', 'job_title'],
    ['  Annual   revenue (€) ', 'annual_revenue_eur'],
    ['CRM-ID / 2nd', 'crm_id_2nd'],
    ['2nd address', 'n_2nd_address'],
    ['2026', 'n_2026'],
    ['Имя', 'imya'],
    ['Письмо', 'pismo'],
    ['名前', 'ming_qian'],
    ['όνομα', 'onoma'],
    ['Đặng', 'dang'],
    ['STRAẞE', 'strasse'],
    ['٣ phones', 'n_3_phones'],
    ['① 𝒜bc', 'n_1_abc'],
    ['Größe', 'grosse'],
    ['Œuvre d’Ærø', 'oeuvre_d_aero'],
    ['Łódź', 'lodz'],
    ['ﬁle №1', 'file_no1'],
    [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
    ['___x___', 'x'],
  ])('%j → %s', (name, slug) => expect(slugFrom(name)).toBe(slug))

  test.each(['', ' ', '!?', '_', '😀'])('%j has no slug', (name) => expect(slugFrom(name)).toBeUndefined())

  test('is a valid slug or undefined for any name', () => {
    fc.assert(
      fc.property(anyText(), (name) => {
        const slug = slugFrom(name)
        if (slug !== undefined) expect(slug).toMatch(new RegExp(SLUG_PATTERN))
      }),
    )
  })
})

describe('freeSlug', () => {
  const isTaken = (taken: string[]) => (slug: string) => taken.includes(slug)

  test.each([
    [[], 'budget'],
    [['budget'], 'budget_2'],
    [['budget', 'budget_2', 'budget_4'], 'budget_3'],
  ])('avoids taken slugs: %j', (taken, slug) => expect(freeSlug('budget', isTaken(taken))).toBe(slug))

  test('stays within 63 characters', () => {
    const long = 'a'.repeat(63)
    expect(freeSlug(long, isTaken([long]))).toBe(`${'a'.repeat(61)}_2`)
  })
})
