import { describe, expect, test } from 'vitest'
import { DEALS, MODELS, objectsIn } from './builder.fixture.ts'
import type { Draft } from './builder-state.ts'
import { joinChoices, joinName } from './join-choices.ts'

const choices = (draft: Draft) => joinChoices(MODELS, objectsIn(draft), draft.joins ?? [])
const joinsOf = (draft: Draft) => choices(draft).map(({ name, join }) => ({ name, join }))
const withJoins = (...joins: NonNullable<Draft['joins']>): Draft => ({ ...DEALS, joins })
const company = { alias: 'company', via: 'deal.company' }

describe('offers joins', () => {
  test('along the references of the object', () => {
    expect(joinsOf(DEALS)).toEqual([
      { name: 'Company of deal', join: company },
      { name: 'Partners of deal', join: { alias: 'partners', via: 'deal.partners' } },
    ])
  })

  test('along references to a joined object, with the attribute in the name if there are several', () => {
    const names = choices(withJoins(company)).map(({ name }) => name)
    expect(names).toEqual([
      'Partners of deal',
      'Parent of company',
      'Owner of company',
      'Deals that refer to company as company',
      'Deals that refer to company as partners',
      'Companies that refer to company',
      'People that refer to company',
    ])
  })

  test('with an explicit target if several objects fit', () => {
    const draft = withJoins(company, { alias: 'partners', via: 'deal.partners' })
    const people = joinsOf(draft).filter(({ name }) => name.startsWith('People'))
    expect(people).toEqual([
      {
        name: 'People that refer to company',
        join: { alias: 'person', objectId: 'people', via: 'person.company', to: 'company' },
      },
      {
        name: 'People that refer to partners',
        join: { alias: 'person', objectId: 'people', via: 'person.company', to: 'partners' },
      },
    ])
  })

  test('of at most three references in a row', () => {
    const far = withJoins(
      company,
      { alias: 'parent', via: 'company.parent' },
      { alias: 'grandparent', via: 'parent.parent' },
    )
    expect(choices(far).some(({ name }) => name.endsWith('parent 2'))).toBe(false)
  })
})

test('a join is shown with the name under which it was offered', () => {
  const draft = withJoins(company, { alias: 'person', objectId: 'people', via: 'person.company' })
  const names = draft.joins?.map((join) => joinName(MODELS, objectsIn(draft), join))
  expect(names).toEqual(['Company of deal', 'People that refer to company'])
})

test('a join without a target is shown as no longer available', () => {
  const lost = { alias: 'lost', via: 'deal.lost' }
  expect(joinName(MODELS, objectsIn(withJoins(lost)), lost)).toBe('lost: no longer available')
})
