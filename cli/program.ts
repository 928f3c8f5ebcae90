// The list of commands.
import { Command } from 'commander'
import { backupCommand } from './backup.ts'
import { cellsCommand } from './cells.ts'
import { doctorCommand } from './doctor.ts'
import { duplicatesCommand } from './duplicates.ts'
import { exportCommand } from './export.ts'
import { filesCommand } from './files.ts'
import { importCommand } from './import.ts'
import { indexCommand } from './index-of-objects.ts'
import { jobsCommand } from './jobs.ts'
import { keysCommand } from './keys.ts'
import { listenCommand } from './listen.ts'
import { mergesCommand } from './merges.ts'
import { migrateCommand } from './migrate.ts'
import { orgCommand } from './org.ts'
import { recordsCommand } from './records.ts'
import { reportsCommand } from './reports.ts'
import { restoreCommand } from './restore.ts'
import { seedCommand } from './seed.ts'
import { sqlCommand } from './sql.ts'
import { statusCommand } from './status.ts'
import { trashCommand } from './trash.ts'
import { undoCommand } from './undo.ts'
import { userCommand } from './user.ts'
import { webhooksCommand } from './webhooks.ts'
import { workflowsCommand } from './workflows.ts'

export const buildProgram = (): Command =>
  new Command('rapport')
    .description('The command line of Rapport. DATA_DIR or DATABASE_URL selects the installation.')
    // An option after the name of a subcommand belongs to the subcommand.
    .enablePositionalOptions()
    .addCommand(orgCommand())
    .addCommand(userCommand())
    .addCommand(cellsCommand())
    .addCommand(keysCommand())
    .addCommand(seedCommand())
    .addCommand(importCommand())
    .addCommand(exportCommand())
    .addCommand(jobsCommand())
    .addCommand(recordsCommand())
    .addCommand(duplicatesCommand())
    .addCommand(mergesCommand())
    .addCommand(undoCommand())
    .addCommand(trashCommand())
    .addCommand(filesCommand())
    .addCommand(reportsCommand())
    .addCommand(webhooksCommand())
    .addCommand(workflowsCommand())
    .addCommand(listenCommand())
    .addCommand(indexCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(statusCommand())
    .addCommand(doctorCommand())
    .addCommand(migrateCommand())
    .addCommand(sqlCommand())
    .addHelpText('after', '\nExamples:\n  $ rapport org create --help\n  $ rapport keys list --org acme')
