package io.onbeat.verify;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass.Predicates;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Arrows point one way: beat → common, worker → common; the task API knows nothing of the machine that runs tasks. */
@AnalyzeClasses(packages = "io.onbeat", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] COMMON = {
        "io.onbeat.run..",
        "io.onbeat.fault..",
        "io.onbeat.schedule..",
        "io.onbeat.message..",
        "io.onbeat.broker..",
        "io.onbeat.ledger..",
        "io.onbeat.config..",
        "io.onbeat.process..",
        "io.onbeat.metrics.."
    };

    @ArchTest
    static final ArchRule common_knows_neither_beat_nor_worker = noClasses()
            .that()
            .resideInAnyPackage(COMMON)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.onbeat.beat..", "io.onbeat.worker..", "io.onbeat.task..", "io.onbeat.local..");

    @ArchTest
    static final ArchRule the_beat_knows_no_worker = noClasses()
            .that()
            .resideInAPackage("io.onbeat.beat..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.onbeat.worker..", "io.onbeat.task..", "io.onbeat.local..");

    @ArchTest
    static final ArchRule the_worker_knows_no_beat = noClasses()
            .that()
            .resideInAnyPackage("io.onbeat.worker..", "io.onbeat.task..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.onbeat.beat..", "io.onbeat.local..");

    @ArchTest
    static final ArchRule the_task_api_stands_alone = noClasses()
            .that()
            .resideInAPackage("io.onbeat.task")
            .should()
            .dependOnClassesThat(Predicates.resideInAnyPackage("io.onbeat..")
                    .and(Predicates.resideOutsideOfPackage("io.onbeat.task")));

    @ArchTest
    static final ArchRule example_tasks_use_the_task_api_only = noClasses()
            .that()
            .resideInAPackage("io.onbeat.examples..")
            .should()
            .dependOnClassesThat(Predicates.resideInAnyPackage("io.onbeat..")
                    .and(Predicates.resideOutsideOfPackages("io.onbeat.task", "io.onbeat.examples..")));

    @ArchTest
    static final ArchRule the_services_of_this_machine_know_nothing_of_ours = noClasses()
            .that()
            .resideInAPackage("io.onbeat.local..")
            .should()
            .dependOnClassesThat(Predicates.resideInAnyPackage("io.onbeat..")
                    .and(Predicates.resideOutsideOfPackage("io.onbeat.local..")));

    @ArchTest
    static final ArchRule sql_stands_in_the_ledger = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.onbeat.worker..", "io.onbeat.message..", "io.onbeat.broker..", "io.onbeat.schedule..")
            // its statements are for tables of the user's
            .and()
            .doNotHaveSimpleName("RowClaims")
            .should()
            .callMethodWhere(com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                    com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching(
                            "prepareStatement|createStatement")));

    @ArchTest
    static final ArchRule packages_of_the_beat_form_no_circle =
            slices().matching("io.onbeat.beat.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule packages_of_the_worker_form_no_circle =
            slices().matching("io.onbeat.worker.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule no_package_is_called_util =
            noClasses().should().resideInAnyPackage("..util..", "..utils..", "..helper..");

    @ArchTest
    static final ArchRule no_wall_clock_decides_what_is_due = noClasses()
            .that()
            .resideInAnyPackage("io.onbeat.beat.fire..", "io.onbeat.beat.recovery..", "io.onbeat.ledger..")
            .and()
            // Quartz wants its alarm in the machine's time; an alarm at a wrong time does no harm
            .doNotHaveSimpleName("WakeUp")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(java.time.Instant.class, "now");
}
