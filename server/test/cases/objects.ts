// Objects and attributes, with their trash.
import { create, fresh, idOf, none, only, type Party, type RouteCase, withBody } from './party.ts'

const newObject = ({ mark }: Party) => {
  const nr = fresh()
  return {
    pluralName: `Things ${nr} ${mark}`,
    singularName: `Thing ${nr}`,
    description: mark,
    slug: `things_${nr}`,
  }
}
const makeObject = async (party: Party) => idOf(await create(party, '/objects', newObject(party)))

const newAttribute = ({ mark }: Party) => ({ name: `Field ${fresh()} ${mark}`, type: 'text' })
const makeAttribute = async (party: Party, objectId: string) =>
  idOf(await create(party, `/objects/${objectId}/attributes`, newAttribute(party)))

const ofObject = async (party: Party) => ({ objectId: await makeObject(party) })

async function ofTrashedObject(party: Party) {
  const objectId = await makeObject(party)
  const { slug } = await create(party, `/objects/${objectId}/attributes`, newAttribute(party))
  await create(party, `/objects/${objectId}/records`, { data: { [String(slug)]: party.mark } })
  const { status } = await party.org.delete(`/objects/${objectId}`)
  if (status !== 200) throw new Error(`DELETE of ${objectId} answered ${status}`)
  return { objectId }
}

async function ofTrashedAttribute(party: Party) {
  const objectId = await makeObject(party)
  const path = `/objects/${objectId}/attributes`
  const { id, slug } = await create(party, path, newAttribute(party))
  await create(party, `/objects/${objectId}/records`, { data: { [String(slug)]: party.mark } })
  const { status } = await party.org.delete(`${path}/${id}`)
  if (status !== 200) throw new Error(`DELETE ${path}/${id} answered ${status}`)
  return { objectId, attributeId: String(id) }
}

async function ofAttribute(party: Party) {
  const objectId = await makeObject(party)
  return { objectId, attributeId: await makeAttribute(party, objectId) }
}

async function ofSelect(party: Party) {
  const objectId = await makeObject(party)
  const select = { name: `Choice ${fresh()}`, type: 'select', config: { options: ['a', 'b'] } }
  return { objectId, attributeId: idOf(await create(party, `/objects/${objectId}/attributes`, select)) }
}

async function referenceTo(party: Party) {
  return {
    name: `Link ${fresh()} ${party.mark}`,
    type: 'reference',
    config: { allowed_object_id: await makeObject(party) },
  }
}

export const objectCases = {
  'GET /objects': { good: only(none) },
  'GET /objects/:objectId': { good: only(ofObject) },
  'POST /objects': { good: withBody(none, newObject) },
  'PATCH /objects/:objectId': { good: withBody(ofObject, ({ mark }) => ({ description: `now ${mark}` })) },
  'DELETE /objects/:objectId': { good: only(ofObject) },
  'GET /objects/:objectId/retention': { good: only(ofObject) },
  'PUT /objects/:objectId/retention': { good: withBody(ofObject, () => ({ days: 90 })) },
  'GET /trashed-objects': { good: only(none) },
  'POST /trashed-objects/:objectId/restore': { good: withBody(ofTrashedObject, () => ({})) },
  'DELETE /trashed-objects/:objectId': { good: only(ofTrashedObject) },
  'GET /objects/:objectId/attributes': { good: only(ofObject) },
  'GET /objects/:objectId/attributes/:attributeId': { good: only(ofAttribute) },
  'POST /objects/:objectId/attributes': { good: withBody(ofObject, referenceTo) },
  'PATCH /objects/:objectId/attributes/:attributeId': {
    good: withBody(ofAttribute, ({ mark }) => ({ name: `Renamed ${mark}` })),
  },
  'PATCH /objects/:objectId/attributes/:attributeId/active': {
    good: withBody(ofAttribute, () => ({ isActive: false })),
  },
  'PUT /objects/:objectId/attribute-order': {
    good: async (party) => {
      const { objectId, attributeId } = await ofAttribute(party)
      return { params: { objectId }, body: { ids: [attributeId] } }
    },
  },
  'GET /objects/:objectId/deletion': { good: only(ofObject) },
  'GET /objects/:objectId/attributes/:attributeId/deletion': { good: only(ofAttribute) },
  'GET /objects/:objectId/select-attributes/:attributeId': { good: only(ofSelect) },
  'PATCH /objects/:objectId/select-attributes/:attributeId': {
    good: withBody(ofSelect, ({ mark }) => ({ options: [{ value: mark, from: ['a'] }] })),
  },
  'DELETE /objects/:objectId/attributes/:attributeId': { good: only(ofAttribute) },
  'GET /objects/:objectId/trashed-attributes': { good: only(ofObject) },
  'POST /objects/:objectId/trashed-attributes/:attributeId/restore': {
    good: withBody(ofTrashedAttribute, () => ({})),
  },
  'DELETE /objects/:objectId/trashed-attributes/:attributeId': { good: only(ofTrashedAttribute) },
} satisfies Readonly<Record<string, RouteCase>>
