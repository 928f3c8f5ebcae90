import { describe, expect, test } from 'vitest'
import { DEALS, MODELS, objectsIn } from './builder.fixture.ts'
import type { Draft } from './builder-state.ts'
import { joinChoices, joinName } from './join-choices.ts'

const choices = (draft: Draft) => joinChoices(MODELS, objectsIn(draft), draft.joins ?? [])
const joinsOf = (draft: Draft) => choices(draft).map(({ name, join }) => ({ name, join }))
const withJoins = (...joins: NonNullable<Draft['joins']>): Draft => ({ ...DEALS, joins })
const company = { alias: 'company', via: 'deal.company' }

describe('joins are offered by name', () => {
  test('along the references of the object', () => {
    expect(joinsOf(DEALS)).toEqual([
      { name: 'Company of deal', join: company },
      { name: 'Partners of deal', join: { alias: 'partners', via: 'deal.partners' } },
    ])
  })

  test('and back along those that lead to what is joined, told apart where there are several', () => {
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

  test('with the one that is meant where several could be', () => {
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

  test('no farther than three references', () => {
    const far = withJoins(
      company,
      { alias: 'parent', via: 'company.parent' },
      { alias: 'grandparent', via: 'parent.parent' },
    )
    expect(choices(far).some(({ name }) => name.endsWith('parent 2'))).toBe(false)
  })
})

test('what is joined keeps the name it was chosen by', () => {
  const draft = withJoins(company, { alias: 'person', objectId: 'people', via: 'person.company' })
  const names = draft.joins?.map((join) => joinName(MODELS, objectsIn(draft), join))
  expect(names).toEqual(['Company of deal', 'People that refer to company'])
})

test('a join that leads nowhere any more says so', () => {
  const lost = { alias: 'lost', via: 'deal.lost' }
  expect(joinName(MODELS, objectsIn(withJoins(lost)), lost)).toBe('lost: no longer available')
})
