// Fields with choices: words, objects, attributes, endpoints, reports, time zones.
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SORTABLE } from '../../../../contract/attribute-types.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { reportsQuery } from '../../../shared/api/report-list.ts'
import { TIME_ZONES, zoneLabel } from '../../../shared/time-zone-select.tsx'
import { MembersPicker } from '../../../shared/values/member-picker.tsx'
import { MultiPicker } from '../../../ui/multi-picker.tsx'
import { Select } from '../../../ui/select.tsx'
import { reportPaths } from '../../reports/paths.ts'
import { webhookPaths } from '../../webhooks/paths.ts'
import { isId } from '../canvas/value-words.ts'
import { type FieldProps, textOf, useInput } from './field-props.ts'
import { useAttributes, useFormPlace } from './form-context.ts'
import { labelOf } from './form-fields.ts'
import { TemplateInput } from './template-input.tsx'
import { hasTemplate } from './template-text.ts'

interface Option {
  value: string
  label: string
}

/**
 * Includes a chosen value that no longer exists. The problem of the field reports it.
 * @param deletedLabel shown instead of the id of a missing value
 */
const withChosen = (options: readonly Option[], chosen: string, deletedLabel = 'Deleted'): Option[] =>
  chosen === '' || options.some(({ value }) => value === chosen)
    ? [...options]
    : [{ value: chosen, label: isId(chosen) ? deletedLabel : chosen }, ...options]

const WORDS: Readonly<Record<string, string>> = { asc: 'Ascending', desc: 'Descending', email: 'Email' }
const wordOf = (word: string) => WORDS[word] ?? (word === word.toUpperCase() ? word : labelOf(word))

export function ChoiceField(props: FieldProps) {
  const { field, value, onChange } = props
  const { default: usual } = field.schema
  return (
    <Select
      {...useInput(props)}
      data={withChosen(
        field.options.map((option) => ({ value: option, label: wordOf(option) })),
        textOf(value),
      )}
      value={textOf(value) || null}
      placeholder={typeof usual === 'string' ? wordOf(usual) : undefined}
      clearable={!field.isRequired && usual === undefined}
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  )
}

export function ObjectField(props: FieldProps) {
  const { value, onChange } = props
  const { objects } = useFormPlace().context
  const input = useInput(props)
  const ref = textOf(value)
  if (hasTemplate(value)) return <TemplateInput {...input} value={value} onChange={onChange} />
  const chosen = objects.find(({ id, slug }) => id === ref || slug === ref)?.slug ?? ref
  const options = objects.map(({ slug, pluralName }) => ({ value: slug, label: pluralName }))
  return (
    <Select
      {...input}
      data={withChosen(options, chosen, 'Deleted object')}
      value={chosen || null}
      placeholder="Choose an object"
      searchable
      allowDeselect={false}
      onChange={(slug) => slug && onChange(slug)}
    />
  )
}

const TIMES: readonly Option[] = [
  { value: 'created_at', label: 'Created' },
  { value: 'updated_at', label: 'Updated' },
]
const isSortable = ({ type, isList }: Attribute) => SORTABLE.has(type) && !isList
const asOption = ({ slug, name }: Attribute): Option => ({ value: slug, label: name })

export function AttributeField(props: FieldProps) {
  const { field, value, onChange, object } = props
  const attributes = useAttributes(object)
  const isSort = field.name === 'field'
  const fitting = attributes.filter(isSort ? isSortable : ({ isUnique }) => isUnique).map(asOption)
  return (
    <Select
      {...useInput(props)}
      data={withChosen(isSort ? [...fitting, ...TIMES] : fitting, textOf(value))}
      value={textOf(value) || null}
      placeholder={object ? 'Choose an attribute' : 'Choose an object first'}
      nothingFoundMessage={isSort ? undefined : 'No attribute of it is unique'}
      searchable
      clearable={isSort}
      onChange={(slug) => onChange(slug ?? (isSort ? undefined : ''))}
    />
  )
}

export function AttributesField(props: FieldProps) {
  const { value, onChange, object } = props
  const slugs = Array.isArray(value) ? value.map(String) : []
  const options = useAttributes(object).map(asOption)
  const missing = slugs.filter((slug) => !options.some((option) => option.value === slug))
  return (
    <MultiPicker
      {...useInput(props)}
      data={[...options, ...missing.map((slug) => ({ value: slug, label: slug }))]}
      value={slugs}
      placeholder={slugs.length > 0 ? undefined : 'All'}
      searchable
      clearable
      onChange={(chosen) => onChange(chosen.length > 0 ? chosen : undefined)}
    />
  )
}

/** Members in the order of choosing. */
export function MembersField(props: FieldProps) {
  const { value, onChange } = props
  return (
    <MembersPicker
      {...useInput(props)}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={onChange}
    />
  )
}

export function EndpointField(props: FieldProps) {
  const { value, onChange } = props
  const { org, endpoints } = useFormPlace().context
  const { description, ...input } = useInput(props)
  const none = (
    <>
      No endpoints yet.{' '}
      <Anchor component={Link} to={webhookPaths.webhooks(org)} inherit>
        Add one
      </Anchor>
    </>
  )
  const options = endpoints.map(({ id, url }) => ({ value: id, label: url }))
  return (
    <Select
      {...input}
      description={endpoints.length === 0 ? none : description}
      data={withChosen(options, textOf(value), 'Deleted endpoint')}
      value={textOf(value) || null}
      placeholder="Choose an endpoint"
      searchable
      allowDeselect={false}
      onChange={(id) => id && onChange(id)}
    />
  )
}

export function ReportField(props: FieldProps) {
  const { value, onChange } = props
  const { org } = useFormPlace().context
  const { data: reports } = useQuery(reportsQuery(org))
  const { description, ...input } = useInput(props)
  const none = (
    <>
      No reports yet.{' '}
      <Anchor component={Link} to={reportPaths.reports(org)} inherit>
        Add one
      </Anchor>
    </>
  )
  const options = (reports ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Select
      {...input}
      description={reports?.length === 0 ? none : description}
      data={withChosen(options, textOf(value), reports ? 'Deleted report' : '…')}
      value={textOf(value) || null}
      placeholder="Choose a report"
      searchable
      allowDeselect={false}
      onChange={(id) => id && onChange(id)}
    />
  )
}

export function ZoneField(props: FieldProps) {
  const { value, onChange } = props
  const options = TIME_ZONES.map((zone) => ({ value: zone, label: zoneLabel(zone) }))
  return (
    <Select
      {...useInput(props)}
      data={withChosen(options, textOf(value))}
      value={textOf(value) || null}
      placeholder="Of the organization"
      searchable
      clearable
      limit={60}
      nothingFoundMessage="No matching time zones"
      onChange={(zone) => onChange(zone ?? undefined)}
    />
  )
}
