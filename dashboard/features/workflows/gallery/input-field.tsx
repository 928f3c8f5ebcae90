// The field for an input of a template: an address, an amount, an endpoint, a report or a secret.
import { Anchor, Autocomplete, NumberInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { reportsQuery } from '../../../shared/api/report-list.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { Select } from '../../../ui/select.tsx'
import { reportPaths } from '../../reports/paths.ts'
import { dashboardSpace } from '../../webhooks/api/webhook-space.ts'
import { endpointsQuery } from '../../webhooks/api/webhooks.ts'
import { webhookPaths } from '../../webhooks/paths.ts'
import { secretsQuery } from '../api/workflows.ts'
import type { TemplateInput } from './template-inputs.ts'

interface InputProps {
  input: TemplateInput
  value: string
  onChange(value: string): void
}

interface FieldProps extends InputProps {
  label: string
  description: ReactNode
}

interface ChoiceFieldProps extends FieldProps {
  /** undefined while loading. */
  choices: readonly { value: string; label: string }[] | undefined
  /** Shown without choices: the noun, and the page that creates the first one. */
  none: { noun: string; path: string }
  searchable?: boolean
}

function ChoiceField({
  label,
  description,
  value,
  onChange,
  choices,
  none,
  searchable = false,
}: ChoiceFieldProps) {
  const isEmpty = choices?.length === 0
  const missing = isEmpty && (
    <>
      There is no {none.noun} yet.{' '}
      <Anchor component={Link} to={none.path} inherit underline="always">
        Add one
      </Anchor>
    </>
  )
  return (
    <Select
      label={label}
      description={missing || description}
      data={choices ?? []}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      disabled={isEmpty}
      searchable={searchable}
      clearable
    />
  )
}

function EndpointField(props: FieldProps) {
  const org = useOrg()
  const { data } = useQuery(endpointsQuery(dashboardSpace(org)))
  const choices = data?.map(({ id, url }) => ({ value: id, label: url }))
  return (
    <ChoiceField {...props} choices={choices} none={{ noun: 'endpoint', path: webhookPaths.webhooks(org) }} />
  )
}

function ReportField(props: FieldProps) {
  const org = useOrg()
  const { data } = useQuery(reportsQuery(org))
  const choices = data?.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <ChoiceField
      {...props}
      choices={choices}
      none={{ noun: 'report', path: reportPaths.reports(org) }}
      searchable
    />
  )
}

function SecretField({ label, description, value, onChange }: FieldProps) {
  const org = useOrg()
  const { data } = useQuery(secretsQuery(org))
  return (
    <Autocomplete
      label={label}
      description={description || 'The name of a secret. It can be set later, in the settings'}
      data={data?.map(({ name }) => name) ?? []}
      value={value}
      onChange={onChange}
      autoComplete="off"
    />
  )
}

export function InputField({ input, value, onChange }: InputProps) {
  const field = { label: input.label, description: input.description, input, value, onChange }
  if (input.kind === 'endpoint') return <EndpointField {...field} />
  if (input.kind === 'report') return <ReportField {...field} />
  if (input.kind === 'secret') return <SecretField {...field} />
  const { label, description } = field
  if (input.kind === 'number')
    return (
      <NumberInput
        label={label}
        description={description}
        value={value}
        onChange={(number) => onChange(String(number))}
      />
    )
  return (
    <TextInput
      type={input.kind}
      label={label}
      description={description}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
