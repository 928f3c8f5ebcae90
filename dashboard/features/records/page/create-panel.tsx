// Creates a record: shows key attributes first and others on request. Errors are shown at their fields.

import { Anchor, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { hasDefault } from '../../../../contract/default-values.ts'
import { keyAttributes } from '../../../../contract/key-attributes.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { ownerAttribute, stageAttribute } from '../../../../contract/standard-objects.ts'
import { type ApiError, fieldErrors, hasCode, messageOf } from '../../../shared/api/errors.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { createRecord, type RecordData, recordsKey } from '../../../shared/api/records.ts'
import { Form, SubmitButton } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { toast } from '../../../shared/toast.ts'
import { useOrg, useOrganization } from '../../../shared/use-organization.ts'
import { optionsOf } from '../../../shared/values/attribute-config.ts'
import { CreatingForm } from '../../../shared/values/creating-form.ts'
import { RecordFields } from '../../../shared/values/record-fields.tsx'
import { SimilarRecords, useCompared } from '../../../shared/values/similar-records.tsx'
import { CreatesReferenced } from '../../../shared/values/use-create-choice.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import classes from './records.module.css'

interface CreateProps {
  object: ObjectWithAttributes
  /** Initial values of the form. */
  preset?: RecordData
  onClose(): void
}

const NOTHING: RecordData = {}

const isThere = (value: unknown) => value !== null && value !== undefined

/** Sends null for an emptied attribute with a default. If it were omitted, the service would set the default. */
function filled(data: RecordData, { attributes }: ObjectWithAttributes): RecordData {
  const withDefault = new Set(attributes.filter(hasDefault).map(({ slug }) => slug))
  const entries = Object.entries(data).filter(([slug, value]) => isThere(value) || withDefault.has(slug))
  return Object.fromEntries(entries.map(([slug, value]) => [slug, value ?? null]))
}

/** Removes values of attributes that have been deleted since. */
const known =
  ({ attributes }: ObjectWithAttributes) =>
  (data: RecordData): RecordData =>
    Object.fromEntries(Object.entries(data).filter(([slug]) => attributes.some((one) => one.slug === slug)))

/** Errors by attribute, including errors of nested parts of values. */
function problemsOf(error: unknown): Record<string, string> {
  const entries = Object.entries(fieldErrors(error, 'data.'))
  return Object.fromEntries(
    entries.toReversed().map(([path, message]) => [path.replace(/[.[].*$/, ''), message]),
  )
}

const defaultsOf = ({ attributes }: ObjectWithAttributes): RecordData =>
  Object.fromEntries(attributes.filter(hasDefault).map(({ slug, defaultValue }) => [slug, defaultValue]))

/** Initial values: defaults, the signed-in user as owner, and the first stage for a deal. */
function usePreset({ object, preset = NOTHING }: CreateProps): RecordData {
  const { user } = useOrganization()
  const [begun] = useState(() => {
    const owner = ownerAttribute(object.attributes)
    const stage = stageAttribute(object)
    const [first] = stage ? optionsOf(stage) : []
    return {
      ...(owner && { [owner.slug]: user.id }),
      ...(stage && first !== undefined && { [stage.slug]: first }),
      ...defaultsOf(object),
      ...preset,
    }
  })
  return begun
}

function useCreating(props: CreateProps) {
  const { object, onClose } = props
  const preset = usePreset(props)
  const org = useOrg()
  const client = useQueryClient()
  const [another, setAnother] = useState(false)
  /** Counts saved records, so that the fields are mounted again for each new record. */
  const [saved, setSaved] = useState(0)
  const form = useDataForm<RecordData>({
    draft: `create ${object.id}`,
    initial: preset,
    accept: known(object),
    problemsOf,
    async save(sent, { before, settle, close }) {
      await createRecord(org, object.slug, filled(sent, object))
      void client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
      if (!another) return close()
      settle(before, sent)
      toast(`${object.singularName} created`)
      setSaved((count) => count + 1)
    },
    onClose,
  })
  return { ...form, another, setAnother, fieldsKey: `${form.fieldsKey} ${saved}` }
}

/** Links to the record that already has the unique value. */
function Taken({ object, error }: { object: ObjectWithAttributes; error: ApiError }) {
  const org = useOrg()
  const { attributeSlug, existingRecordId } = error.details
  const name = object.attributes.find(({ slug }) => slug === attributeSlug)?.name ?? 'value'
  return (
    <Text c="var(--danger)" role="alert">
      Another {object.singularName.toLowerCase()} already has this {name.toLowerCase()}:{' '}
      <Anchor
        component={Link}
        to={recordPaths.record(org, object.slug, String(existingRecordId))}
        underline="always"
      >
        open it
      </Anchor>
    </Text>
  )
}

function Refusal({ object, form: { error, errors } }: FieldsProps) {
  if (error === undefined) return null
  if (hasCode(error, 'unique_violation')) return <Taken object={object} error={error} />
  return (
    <Text c="var(--danger)" role="alert">
      {Object.keys(errors).length > 0 ? 'Some values cannot be saved: see the fields.' : messageOf(error)}
    </Text>
  )
}

type Creating = ReturnType<typeof useCreating>

interface FieldsProps {
  object: ObjectWithAttributes
  form: Creating
}

/** Shows key attributes and those with a value or an error, and all others on request. */
function useShownFields({ object, form }: FieldsProps) {
  const [isWhole, setWhole] = useState(false)
  const all = object.attributes
  const key = keyAttributes(all)
  const isShown = (attribute: Attribute) =>
    isWhole || key.includes(attribute) || attribute.slug in form.values || attribute.slug in form.errors
  const shown = all.filter(isShown)
  return { shown, hidden: all.length - shown.length, showAll: () => setWhole(true) }
}

function Fields(props: FieldsProps) {
  const { shown, hidden, showAll } = useShownFields(props)
  return (
    <>
      <RecordFields form={props.form} attributes={shown} />
      {hidden > 0 && (
        <Button
          variant="subtle"
          color="gray"
          className="start"
          leftSection={<ChevronDown size={14} aria-hidden />}
          onClick={showAll}
        >
          More fields ({hidden})
        </Button>
      )}
    </>
  )
}

/** The form without the panel, for panels with other content. */
export function CreateForm(props: CreateProps) {
  const { object } = props
  const form = useCreating(props)
  const { compared, leave } = useCompared(form.values, form.fieldsKey)
  const what = object.singularName.toLowerCase()
  return (
    <Form form={form} noValidate data-submit="explicit" className="stack gap-16" onBlur={leave}>
      <CreatesReferenced value={CreatingForm}>
        <Fields object={object} form={form} />
      </CreatesReferenced>
      <Stack gap="sm" className={classes.formFooter}>
        <SimilarRecords object={object} data={compared} />
        <Refusal object={object} form={form} />
        <Group justify="space-between">
          <Switch
            label="Create another"
            checked={form.another}
            onChange={({ currentTarget }) => form.setAnother(currentTarget.checked)}
          />
          <Group gap="xs">
            <Button variant="default" onClick={form.close}>
              Cancel
            </Button>
            <SubmitButton form={form} hasKeys>
              Create {what}
            </SubmitButton>
          </Group>
        </Group>
      </Stack>
    </Form>
  )
}

export function CreatePanel(props: CreateProps) {
  return (
    <SidePanel
      isSideBySide
      title={`Create ${props.object.singularName.toLowerCase()}`}
      onClose={props.onClose}
    >
      <CreateForm {...props} />
    </SidePanel>
  )
}
