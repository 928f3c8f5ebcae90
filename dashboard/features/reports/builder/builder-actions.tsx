// The name of the report and the save buttons, in the top bar of the page.

import { ActionIcon, Button, Menu, TextInput, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronLeft } from 'lucide-react'
import { REPORT_NAME_MAX } from '../../../../contract/report-states.ts'
import { hasCode } from '../../../shared/api/errors.ts'
import { RestoredNote, SaveButton, SaveRefusal, SaveState } from '../../../shared/editing/editing-bar.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { tooLong } from '../../../ui/too-long.ts'
import { reportPaths } from '../paths.ts'
import { useBuilder } from './builder-context.ts'

function nameError({ draft, saving }: ReturnType<typeof useBuilder>): string | undefined {
  const problem = tooLong(draft.name, REPORT_NAME_MAX)
  if (problem !== undefined) return problem
  if (saving.isNameless) return 'Give the report a name'
  return hasCode(saving.error, 'name_taken') ? 'Another report has this name' : undefined
}

export function Heading({ title }: { title: string }) {
  const org = useOrg()
  const builder = useBuilder()
  const { draft, act, report } = builder
  const back = report ? reportPaths.report(org, report.id) : reportPaths.reports(org)
  const error = nameError(builder)
  return (
    <>
      <h1 className="visually-hidden">{title}</h1>
      <ActionIcon component={Link} to={back} aria-label={report ? 'Back to the report' : 'Back to reports'}>
        <ChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <Tooltip label={error ?? ''} opened={error !== undefined} position="bottom-start">
        <TextInput
          aria-label="Name of the report"
          placeholder="Name of the report"
          className="fill"
          w={320}
          value={draft.name}
          error={error !== undefined}
          aria-description={error}
          data-report-name
          styles={{ input: { fontWeight: 600 } }}
          onChange={({ currentTarget }) => act({ does: 'name', text: currentTarget.value }, 'name')}
        />
      </Tooltip>
    </>
  )
}

export function BuilderActions({ onCopy }: { onCopy(): void }) {
  const { saving, isChanged, report, readOnlyReason } = useBuilder()
  const hasChanges = isChanged || report === undefined
  const isOff = !hasChanges || readOnlyReason !== undefined
  return (
    <>
      <SaveState isChanged={isChanged} />
      <Button.Group>
        <SaveButton
          isBusy={saving.isBusy}
          isOff={isOff}
          reason={readOnlyReason}
          onSave={() => void saving.save()}
        />
        {report && (
          <Menu>
            <Menu.Target>
              <Button aria-label="More save options" px={6} variant={isOff ? 'default' : 'filled'}>
                <ChevronDown size={14} aria-hidden />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={onCopy}>Save as a copy</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Button.Group>
    </>
  )
}

/** Notes: why the report was not saved, and that a draft was restored. */
export function Notes() {
  const { saving, isRestored, discard } = useBuilder()
  return (
    <>
      <SaveRefusal saving={saving}>Not saved: fix the problems below first.</SaveRefusal>
      {isRestored && <RestoredNote onDiscard={discard} />}
    </>
  )
}
