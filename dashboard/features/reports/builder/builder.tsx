// The builder of a report: four sentences that define it, the list of fields, and the result.
import { Box } from '@mantine/core'
import { useState } from 'react'
import { useEditingKeys } from '../../../shared/editing/use-editing-keys.ts'
import { LeaveGuard } from '../../../shared/leave-guard.tsx'
import { Page } from '../../../ui/page.tsx'
import classes from './builder.module.css'
import { BuilderActions, Heading, Notes } from './builder-actions.tsx'
import { BuilderContext } from './builder-context.ts'
import { isRows } from './builder-state.ts'
import { ChartChoice } from './chart-choice.tsx'
import { ConflictDialog, CopyDialog } from './dialogs.tsx'
import { Dragging } from './dragging.tsx'
import { FieldList } from './field-list.tsx'
import { FilterSentence } from './filter-sentence.tsx'
import { GroupSentence } from './group-sentence.tsx'
import { JoinSentence } from './join-sentence.tsx'
import { Result } from './result.tsx'
import { ShowSentence } from './show-sentence.tsx'
import { ThenSentence } from './then-sentence.tsx'
import { Toolbar } from './toolbar.tsx'
import { type BuilderStart, useBuilderState } from './use-builder.ts'

function Sentences({ hasGroups }: { hasGroups: boolean }) {
  return (
    <section className={classes.sentences} aria-label="Definition">
      <ShowSentence />
      <JoinSentence />
      <FilterSentence />
      {hasGroups && <GroupSentence />}
      <ThenSentence />
    </section>
  )
}

export function Builder({ title, ...start }: BuilderStart) {
  const builder = useBuilderState(start)
  const [isCopying, setCopying] = useState(false)
  const { draft, saving, report, undo, redo } = builder
  const isSavable = builder.readOnlyReason === undefined
  useEditingKeys({ undo, redo, save: () => isSavable && !saving.isBusy && void saving.save() })
  const isEmpty = draft.source.objectId === ''
  return (
    <BuilderContext value={builder}>
      <Page
        title={title}
        width="full"
        heading={<Heading title={title} />}
        actions={<BuilderActions onCopy={() => setCopying(true)} />}
      >
        <Notes />
        <Toolbar />
        <Dragging>
          <Box className="flex grow" mih={0}>
            {!isEmpty && <FieldList />}
            <div className="stack fill scroll">
              {!isEmpty && <Sentences hasGroups={!isRows(draft)} />}
              {!isEmpty && <ChartChoice />}
              <Result />
            </div>
          </Box>
        </Dragging>
        <div className="visually-hidden" aria-live="polite">
          {builder.announcement}
        </div>
        {isCopying && <CopyDialog onClose={() => setCopying(false)} />}
        {saving.conflict !== undefined && report && <ConflictDialog reportId={report.id} />}
        <LeaveGuard
          isChanged={builder.isChanged}
          isBusy={saving.isBusy}
          save={isSavable ? () => saving.save() : undefined}
        />
      </Page>
    </BuilderContext>
  )
}
