// The page that builds a report: a new one (empty or from a template) or an existing one.
import { useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { objectQuery, objectsQuery } from '../../shared/api/objects.ts'
import { reportsQuery } from '../../shared/api/report-list.ts'
import { freeName } from '../../shared/free-name.ts'
import { useOrg, useOrganization } from '../../shared/use-organization.ts'
import { reportQuery, reportTemplatesQuery } from './api/reports.ts'
import { Builder } from './builder/builder.tsx'
import { emptyDraft, reduce } from './builder/builder-state.ts'
import { type Models, modelOf } from './builder/report-objects.ts'
import { type BuilderSearch, validBuilderSearch } from './builder-search.ts'
import { reportPaths } from './paths.ts'

/** Every active object with its attributes. */
function useModels(): Models {
  const org = useOrg()
  const { data: objects } = useSuspenseQuery(objectsQuery(org))
  const active = objects.filter(({ isActive }) => isActive)
  return useSuspenseQueries({
    queries: active.map(({ slug }) => objectQuery(org, slug)),
    combine: (answers) => answers.map(({ data }) => data),
  })
}

function useBeginning(models: Models, { ready, object: slug }: BuilderSearch) {
  const org = useOrg()
  const { data: templates } = useSuspenseQuery(reportTemplatesQuery(org))
  const { data: reports } = useSuspenseQuery(reportsQuery(org))
  const begun = templates.find(({ key }) => key === ready)
  if (begun) {
    const names = reports.map(({ name }) => name)
    return { ...begun.definition, name: freeName(begun.definition.name, names) }
  }
  const object = modelOf(models, slug)
  const empty = emptyDraft('')
  return object ? reduce(empty, { does: 'source', object }) : empty
}

export function NewReportPage() {
  const org = useOrg()
  const navigate = useNavigate()
  const models = useModels()
  const search = validBuilderSearch(useSearch({ strict: false }))
  const key = `${org}/new/${search.ready ?? ''}/${search.object ?? ''}`
  const definition = useBeginning(models, search)
  return (
    <Builder
      key={key}
      title="New report"
      report={undefined}
      draftKey={key}
      definition={definition}
      models={models}
      readOnlyReason={undefined}
      onCreated={(id) => void navigate({ to: reportPaths.editReport(org, id), replace: true })}
    />
  )
}

export function EditReportPage() {
  const { report: id = '' } = useParams({ strict: false }) as { report?: string }
  const { organization, user, may } = useOrganization()
  const org = organization.slug
  const navigate = useNavigate()
  const models = useModels()
  const { data: report } = useSuspenseQuery(reportQuery(org, id))
  const isOwn = report.creator.id === user.id || may('admin')
  return (
    <Builder
      key={id}
      title={`Edit ${report.name}`}
      report={report}
      draftKey={`${org}/${id}`}
      definition={report.definition}
      models={models}
      readOnlyReason={
        isOwn
          ? undefined
          : `Only ${report.creator.name}, owners and admins can change this report: save a copy`
      }
      onCreated={(copy) => void navigate({ to: reportPaths.editReport(org, copy) })}
    />
  )
}
