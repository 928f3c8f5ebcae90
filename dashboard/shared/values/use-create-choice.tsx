// The last option of a record picker, which creates a record that was not found.
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, createContext, Suspense, useContext, useState } from 'react'
import { mustBeGiven } from '../../../contract/default-values.ts'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { readName } from '../../../contract/person-name.ts'
import { namingAttribute } from '../../../contract/record-name.ts'
import { ownerAttribute } from '../../../contract/standard-objects.ts'
import { ACTION } from '../../ui/found-options.ts'
import { Opening } from '../../ui/opening.ts'
import { type Attribute, objectQuery } from '../api/objects.ts'
import { createRecord, type RecordData, recordsKey } from '../api/records.ts'
import { similarRecordsQuery } from '../api/similar-records.ts'
import { toast, toastError } from '../toast.ts'
import { useOrganization } from '../use-organization.ts'

/**
 * The form by which pickers create records. It is set where records are edited, and null where they are only searched.
 * It is in a context, because the form itself contains pickers.
 */
export const CreatesReferenced = createContext<ComponentType<CreatingProps> | null>(null)

/** The value of the option that creates a record. */
export const CREATE = `${ACTION}create`

/** Marks the form, which belongs to the editor of the value even though it is elsewhere in the page. */
export const CREATING_FORM = 'data-creating-referenced'

/** The attributes that the form asks for: the name, and every other required attribute without a default. */
export const askedOf = ({ attributes }: ObjectWithAttributes): Attribute[] => {
  const naming = namingAttribute(attributes)
  return attributes.filter((one) => one === naming || mustBeGiven(one))
}

interface Creation {
  /** The typed text. */
  text: string
  object: ObjectWithAttributes
}

export interface CreatingProps extends Creation {
  onCreated(id: string): void
  onClose(): void
}

export function useCreate() {
  const { organization, user } = useOrganization()
  const client = useQueryClient()
  const org = organization.slug
  return async (object: ObjectWithAttributes, data: RecordData): Promise<string> => {
    const owner = ownerAttribute(object.attributes)
    const { id } = await createRecord(org, object.slug, { ...(owner && { [owner.slug]: user.id }), ...data })
    void client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
    toast(`${object.singularName} created`)
    return id
  }
}

/** @returns a function that says whether a new record probably exists already; false if that cannot be found out */
function useHasSimilar() {
  const { organization } = useOrganization()
  const client = useQueryClient()
  return ({ slug }: ObjectWithAttributes, data: RecordData): Promise<boolean> =>
    client.fetchQuery(similarRecordsQuery(organization.slug, slug, data)).then(
      (similar) => similar.length > 0,
      () => false,
    )
}

/** The initial value for the typed text. The text of a person's name is split, because its editor has two fields. */
export const startOf = ({ type }: Attribute, text: string): unknown =>
  type === 'name' ? readName(text) : text

/**
 * The last option of a picker, which creates a record from the typed text.
 * @param text the search text; @param choose receives the id of the created record
 */
export function useCreateChoice(objectId: string, text: string, choose: (id: string) => void) {
  const Form = useContext(CreatesReferenced)
  const isOffered = Form !== null
  const { organization } = useOrganization()
  const { data: object } = useQuery({ ...objectQuery(organization.slug, objectId), enabled: isOffered })
  const create = useCreate()
  const hasSimilar = useHasSimilar()
  const [creation, setCreation] = useState<Creation>()
  const [isBusy, setBusy] = useState(false)
  const typed = text.trim()
  const canCreate = isOffered && typed !== '' && object?.isActive && namingAttribute(object.attributes)
  /** Without the form, if only a name is required and no similar record exists. */
  const createFrom = async (from: ObjectWithAttributes): Promise<void> => {
    const asked = askedOf(from)
    const [naming] = asked
    const data = naming && asked.length === 1 && { [naming.slug]: startOf(naming, typed) }
    if (!data || (await hasSimilar(from, data))) setCreation({ object: from, text: typed })
    else choose(await create(from, data))
  }
  /** One at a time, so that a second click creates no second record. */
  const start = () => {
    if (!object || isBusy) return
    setBusy(true)
    void createFrom(object)
      .catch(toastError)
      .finally(() => setBusy(false))
  }
  const label = `Create “${typed}”`
  return {
    options: canCreate ? [{ value: CREATE, label }] : [],
    start,
    /**
     * The same choice as a button, next to a refused text. It stays enabled while it works: a disabled button loses the
     * focus, which would end the edit.
     */
    offer: canCreate && (
      <Button variant="subtle" size="compact-xs" aria-busy={isBusy} onClick={start}>
        {label}
      </Button>
    ),
    form: Form && creation && (
      <Suspense fallback={<Opening />}>
        <Form
          {...creation}
          onCreated={(id) => {
            setCreation(undefined)
            choose(id)
          }}
          onClose={() => setCreation(undefined)}
        />
      </Suspense>
    ),
  }
}
