import { describe, expect, test } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import type { SignedInMember } from '../../test/dashboard-client.ts'
import { createRecord } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

interface Names {
  names: { recordId: string; name: string; hint?: string }[]
}

async function hintsOf(who: SignedInMember, records: readonly CrmRecord[]) {
  const refs = records.map(({ id: recordId, objectId }) => ({ objectId, recordId }))
  const { body } = await who.post<Names>('/record-names', { refs, includeHints: true })
  const hints = new Map(body.names.map(({ recordId, hint }) => [recordId, hint]))
  return records.map(({ id }) => hints.get(id))
}

describe('POST /record-names with hints', () => {
  test('distinguishes people with the same name by company and email address, otherwise by another value', async () => {
    const mia = await (await service.org()).member('member')
    const acme = await createRecord(mia, 'companies', {
      name: 'Acme',
      domain: 'acme.example',
      industry: 'Energy',
    })
    const rosa = (data: object) => createRecord(mia, 'people', { name: 'Rosa Gruber', ...data })
    const people = [
      await rosa({ company: acme.id, email: 'rosa@acme.example', phone: '+1 555 867 5309' }),
      await rosa({ company: acme.id }),
      await rosa({ email: 'rosa@home.example' }),
      await rosa({ phone: '+1 555 867 5310', job_title: 'Head of sales' }),
      await rosa({ job_title: 'Head of sales' }),
      acme,
    ]
    expect(await hintsOf(mia, people)).toEqual([
      'Acme · rosa@acme.example',
      'Acme',
      'rosa@home.example',
      '+1 555 867 5310',
      'Head of sales',
      'acme.example · Energy',
    ])
  })

  test('distinguishes deals by company, stage and amount, and empty records by their day of creation', async () => {
    const mia = await (await service.org()).member('member')
    const acme = await createRecord(mia, 'companies', { name: 'Acme' })
    const amount = { amount: 12500.5, currency: 'EUR' }
    const deals = [
      await createRecord(mia, 'deals', { name: 'Renewal', stage: 'Lead', amount, company: acme.id }),
      await createRecord(mia, 'deals', { name: 'Renewal', stage: 'Won' }),
      await createRecord(mia, 'deals', {
        name: 'Renewal',
        amount: { amount: '12345678901234567', currency: 'USD' },
      }),
      acme,
    ]
    expect(await hintsOf(mia, deals)).toEqual([
      'Acme · Lead · €12,500.50',
      'Won',
      '$12,345,678,901,234,567',
      expect.stringMatching(/^Created [A-Z][a-z]{2} \d+, \d{4}$/),
    ])
  })

  test('shows no value of an inactive attribute, and no name of a deleted record', async () => {
    const olivia = await (await service.org()).member('owner')
    const acme = await createRecord(olivia, 'companies', { name: 'Acme' })
    const rosa = await createRecord(olivia, 'people', {
      name: 'Rosa',
      company: acme.id,
      email: 'rosa@acme.example',
      phone: '+1 555 867 5309',
    })
    await olivia.delete(`/objects/companies/records/${acme.id}`)
    expect(await hintsOf(olivia, [rosa])).toEqual(['rosa@acme.example'])
    const { body } = await olivia.get<{ attributes: { id: string; slug: string }[] }>('/objects/people')
    const email = body.attributes.find(({ slug }) => slug === 'email')
    await olivia.patch(`/objects/people/attributes/${email?.id}/active`, { isActive: false })
    expect(await hintsOf(olivia, [rosa])).toEqual(['+1 555 867 5309'])
  })

  test('gives hints only if they are requested', async () => {
    const mia = await (await service.org()).member('member')
    const { id: recordId, objectId } = await createRecord(mia, 'companies', {
      name: 'Acme',
      domain: 'acme.example',
    })
    const { body } = await mia.post<Names>('/record-names', { refs: [{ objectId, recordId }] })
    expect(body.names).toEqual([{ objectId, recordId, name: 'Acme' }])
  })
})
