// The saved versions: author, time, changes, and a button that restores the version.
import { Box, Button, NativeSelect, Stack, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { ErrorState } from '../../../shared/state.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { useSubmit } from '../../../shared/use-submit.ts'
import { PartPending } from '../../../ui/page-pending.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import { definitionQuery, restoreVersion, versionsQuery } from '../api/workflows.ts'
import { difference } from './difference.ts'
import { DifferenceView } from './difference-view.tsx'
import { useEditor } from './editor-context.ts'

/** What a version is compared with: the previous version, or the definition in the editor. */
type Against = 'previous' | 'edited'

interface ComparisonProps {
  workflowId: string
  version: number
  against: Against
}

function Comparison({ workflowId, version, against }: ComparisonProps) {
  const org = useOrg()
  const { definition } = useEditor()
  const chosen = useQuery(definitionQuery(org, workflowId, version))
  const isOlderNeeded = against === 'previous' && version > 1
  const older = useQuery({
    ...definitionQuery(org, workflowId, Math.max(1, version - 1)),
    enabled: isOlderNeeded,
  })
  const error = chosen.error ?? older.error
  if (error) return <ErrorState error={error} onRetry={() => void chosen.refetch()} />
  if (!chosen.data || (isOlderNeeded && !older.data)) return <PartPending />
  if (against === 'edited')
    return <DifferenceView difference={difference(definition, chosen.data.definition)} />
  if (!older.data || version === 1) return <p className="muted small">This is the first version.</p>
  return <DifferenceView difference={difference(older.data.definition, chosen.data.definition)} />
}

function Restore({ workflowId, version, onDone }: Omit<ComparisonProps, 'against'> & { onDone(): void }) {
  const org = useOrg()
  const { saving } = useEditor()
  const { data } = useQuery(definitionQuery(org, workflowId, version))
  const { submit, isBusy, error } = useSubmit(async (_: undefined) => {
    if (!data) return
    const saved = await restoreVersion(org, workflowId, version)
    await saving.refresh()
    saving.adopt(data.definition, saved.version)
    onDone()
  })
  return (
    <>
      <FormError error={error} />
      <Button loading={isBusy} disabled={!data} onClick={() => void submit(undefined)}>
        Restore version {version}
      </Button>
    </>
  )
}

interface ChosenProps {
  workflowId: string
  version: number
  isCurrent: boolean
  onRestored(): void
}

function Chosen({ workflowId, version, isCurrent, onRestored }: ChosenProps) {
  const [against, setAgainst] = useState<Against>('previous')
  return (
    <section className="stack start gap-12" aria-label={`Version ${version}`}>
      <NativeSelect
        label={`Version ${version} compared with`}
        data={[
          { value: 'previous', label: 'The previous version' },
          { value: 'edited', label: 'What is in the editor' },
        ]}
        value={against}
        onChange={({ currentTarget }) => setAgainst(currentTarget.value === 'edited' ? 'edited' : 'previous')}
      />
      <Comparison workflowId={workflowId} version={version} against={against} />
      {!isCurrent && <Restore workflowId={workflowId} version={version} onDone={onRestored} />}
    </section>
  )
}

function List({ workflowId, onClose }: { workflowId: string; onClose(): void }) {
  const { data, error, refetch } = useQuery(versionsQuery(useOrg(), workflowId))
  const [chosen, setChosen] = useState<number>()
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <PartPending />
  const current = data[0]?.version
  const shown = chosen ?? current
  return (
    <Stack gap="md">
      <Box component="ol" className="fixed scroll divided bordered rounded" mah={240}>
        {data.map(({ version, createdAt, createdBy, steps }) => (
          <li key={version}>
            <UnstyledButton
              className="stack wide small hoverable"
              px={12}
              py={6}
              aria-pressed={version === shown}
              onClick={() => setChosen(version)}
            >
              <span className="medium">
                Version {version}
                {version === current && <span className="muted small"> current</span>}
              </span>
              <span className="muted small">
                {createdBy?.name ?? 'Former member'}, <ColumnTime value={createdAt} />,{' '}
                {counted(steps, 'step')}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </Box>
      {shown !== undefined && (
        <Chosen
          key={shown}
          workflowId={workflowId}
          version={shown}
          isCurrent={shown === current}
          onRestored={onClose}
        />
      )}
    </Stack>
  )
}

export function Versions({ workflowId, onClose }: { workflowId: string; onClose(): void }) {
  return (
    <SidePanel title="Versions" onClose={onClose} size={560}>
      <List workflowId={workflowId} onClose={onClose} />
    </SidePanel>
  )
}
