// A report template: its definition, a preview, and buttons to add or edit it.
import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { messageOf } from '../../../shared/api/errors.ts'
import { reportsKey, reportsQuery } from '../../../shared/api/report-list.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { freeName } from '../../../shared/free-name.ts'
import { asSentence } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { useSubmit } from '../../../shared/use-submit.ts'
import { BackToGallery } from '../../../ui/gallery-button.tsx'
import { createReport, previewReport, type ReportTemplate, runReport } from '../api/reports.ts'
import { ReportChart } from '../chart/report-chart.tsx'
import { reportPaths } from '../paths.ts'
import { DefinitionSentences } from '../words/definition-panel.tsx'

const CHART_PX = 240
/** Enough rows for a preview. */
const PREVIEW_ROWS = 50

/** Creates the report with an unused name and runs it immediately. */
function useAdding({ definition, description }: ReportTemplate) {
  const org = useOrg()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useSubmit(async () => {
    const reports = await client.fetchQuery({ ...reportsQuery(org), staleTime: 0 })
    const name = freeName(
      definition.name,
      reports.map((report) => report.name),
    )
    const { id } = await createReport(org, { ...definition, name, description })
    // The page of the report shows why it could not run.
    await runReport(org, id).catch(() => undefined)
    await client.invalidateQueries({ queryKey: reportsQuery(org).queryKey })
    await navigate({ to: reportPaths.report(org, id) })
  })
}

function Preview({ ready: { key, definition } }: { ready: ReportTemplate }) {
  const org = useOrg()
  const { data, error } = useQuery({
    queryKey: [...reportsKey(org), 'ready-preview', key],
    queryFn: ({ signal }) => previewReport(org, { ...definition, limit: PREVIEW_ROWS }, signal),
  })
  const failure = error ? messageOf(error) : (data?.error ?? data?.problems[0]?.message)
  if (failure !== undefined && failure !== null) return <p>{asSentence(failure)}</p>
  if (!data?.results) return <Skeleton height={CHART_PX} aria-busy="true" />
  return <ReportChart definition={definition} results={data.results} height={CHART_PX} />
}

export function ReportTemplateView({ ready, onBack }: { ready: ReportTemplate; onBack(): void }) {
  const org = useOrg()
  const { submit, isBusy, error } = useAdding(ready)
  return (
    <Stack gap="md">
      <BackToGallery onClick={onBack} />
      <p>{ready.description}.</p>
      <section className="shrink" aria-label="Preview">
        <Preview ready={ready} />
      </section>
      <DefinitionSentences definition={ready.definition} />
      <FormError error={error} />
      <Group gap="xs" justify="flex-end">
        <Button
          variant="default"
          component={Link}
          to={reportPaths.newReport(org)}
          search={{ ready: ready.key } as never}
        >
          Edit first
        </Button>
        <Button onClick={() => void submit(undefined)} loading={isBusy} data-autofocus>
          Use template
        </Button>
      </Group>
    </Stack>
  )
}
