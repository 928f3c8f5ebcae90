// Chooses a report by name, and adds it to a dashboard.
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { reportsQuery } from '../../../shared/api/report-list.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
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
  const form = useDataForm<{ id: string | null }>({
    initial: { id: null },
    async save() {
      if (report) onAdd(report)
      onClose()
    },
    onClose,
  })
  const report = reports?.find(({ id }) => id === form.values.id)
  return (
    <Dialog onClose={onClose} title="Add report">
      <Form form={form}>
        {reports?.length === 0 ? (
          <None />
        ) : (
          <Select
            label="Report"
            placeholder="Choose a report"
            data={(reports ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            {...form.field('id')}
            searchable
            nothingFoundMessage="No matching reports"
            data-autofocus
          />
        )}
        <FormError error={error} />
        <FormEnd form={form} verb="Add" isReady={report !== undefined} />
      </Form>
    </Dialog>
  )
}
