// Chooses a report by name, and adds it to a dashboard.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { reportsQuery } from '../../../shared/api/report-list.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { reportPaths } from '../paths.ts'

interface AddReportProps {
  onAdd(report: { id: string; name: string }): void
  onClose(): void
}

function None() {
  return (
    <Text>
      There are no reports yet.{' '}
      <Anchor component={Link} to={reportPaths.newReport(useOrg())}>
        Create one
      </Anchor>{' '}
      and come back.
    </Text>
  )
}

/** Mount only while the dialog is open. */
export function AddReport({ onAdd, onClose }: AddReportProps) {
  const { data: reports, error } = useQuery(reportsQuery(useOrg()))
  const [chosen, setChosen] = useState<string | null>(null)
  const report = reports?.find(({ id }) => id === chosen)
  const add = () => {
    if (report) onAdd(report)
    onClose()
  }
  return (
    <Dialog onClose={onClose} title="Add report">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <Stack gap="md">
          {reports?.length === 0 ? (
            <None />
          ) : (
            <Select
              label="Report"
              placeholder="Choose a report"
              data={(reports ?? []).map(({ id, name }) => ({ value: id, label: name }))}
              value={chosen}
              onChange={setChosen}
              searchable
              nothingFoundMessage="No matching reports"
              data-autofocus
            />
          )}
          <FormError error={error ?? undefined} />
          <Group gap="xs" justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!report}>
              Add
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
