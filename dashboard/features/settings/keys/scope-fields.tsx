// Chooses full access or single permissions, and describes the result in words.
import { Box, Checkbox, Radio, Stack, Text } from '@mantine/core'
import type { Scope } from '../../../../contract/scopes.ts'
import { describeScopes, SCOPE_GROUPS, scopeName } from './describe-scopes.ts'

const COLUMNS = 'repeat(auto-fill, minmax(190px, 1fr))'

interface ScopeFieldsProps {
  /** null: full access. */
  value: readonly Scope[] | null
  onChange(value: readonly Scope[] | null): void
}

function ScopeGroups({
  value,
  onChange,
}: {
  value: readonly Scope[]
  onChange(value: readonly Scope[]): void
}) {
  const toggle = (scope: Scope) =>
    onChange(value.includes(scope) ? value.filter((one) => one !== scope) : [...value, scope])
  return (
    <Box className="grid gap-16 bordered rounded" p={12} style={{ gridTemplateColumns: COLUMNS }}>
      {SCOPE_GROUPS.map(({ resource, label, scopes }) => (
        <fieldset key={resource} className="stack gap-8">
          <legend>{label}</legend>
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              checked={value.includes(scope)}
              onChange={() => toggle(scope)}
              label={scopeName(scope)}
              description={<code>{scope}</code>}
            />
          ))}
        </fieldset>
      ))}
    </Box>
  )
}

export function ScopeFields({ value, onChange }: ScopeFieldsProps) {
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Permissions"
        value={value === null ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? null : [])}
      >
        <Stack gap={8} mt={8}>
          <Radio
            value="some"
            label="Selected permissions"
            description="Only what the key is for; writing does not include reading"
          />
          <Radio value="all" label="Full access" description="Everything, for servers you trust" />
        </Stack>
      </Radio.Group>
      {value !== null && <ScopeGroups value={value} onChange={onChange} />}
      <Text className="box sunken" aria-live="polite">
        {describeScopes(value)}
      </Text>
    </Stack>
  )
}
