// The rules by which two records of an object count as duplicates, each with a switch.
import { Stack, Switch, Text } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listFormat } from '../../../../contract/language.ts'
import {
  type DuplicateRule,
  duplicateRulesQuery,
  switchDuplicateRule,
} from '../../../shared/api/duplicate-rules.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { recordsKey } from '../../../shared/api/records.ts'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { Section } from '../../../ui/sections.tsx'

interface RulesProps {
  /** The slug of the object. */
  object: string
  attributes: readonly Attribute[]
  isReadOnly: boolean
}

const comparedNames = ({ attributeSlugs }: DuplicateRule, attributes: readonly Attribute[]): string =>
  listFormat().format(attributeSlugs.map((slug) => attributes.find((one) => one.slug === slug)?.name ?? slug))

function RuleSwitch({ object, attributes, isReadOnly, rule }: RulesProps & { rule: DuplicateRule }) {
  const org = useOrg()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const change = async (isActive: boolean) => {
    setBusy(true)
    try {
      const changed = await switchDuplicateRule(org, object, { id: rule.id, isActive })
      const { queryKey } = duplicateRulesQuery(org, object)
      client.setQueryData(queryKey, (rules) => rules?.map((one) => (one.id === changed.id ? changed : one)))
      void client.invalidateQueries({ queryKey: recordsKey(org, object) })
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Switch
      label={rule.name}
      description={`Compares ${comparedNames(rule, attributes)}`}
      checked={rule.isActive}
      disabled={isReadOnly}
      aria-busy={isBusy}
      onChange={({ currentTarget }) => !isBusy && void change(currentTarget.checked)}
    />
  )
}

export function DuplicateRules(props: RulesProps) {
  const { data: rules } = useSuspenseQuery(duplicateRulesQuery(useOrg(), props.object))
  return (
    <Section
      title="Duplicates"
      description="Records that match by one of these rules are listed as duplicates, and named while a record is created or imported."
    >
      {rules.length === 0 && <Text c="dimmed">No attribute of this object is compared.</Text>}
      <Stack gap="sm">
        {rules.map((rule) => (
          <RuleSwitch key={rule.id} rule={rule} {...props} />
        ))}
      </Stack>
    </Section>
  )
}
