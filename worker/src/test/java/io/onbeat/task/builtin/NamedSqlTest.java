package io.onbeat.task.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamedSqlTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            select :a, :b_2 from t where x=:a        | select ?, ? from t where x=?            | a b_2 a
            select ':a', 'it''s :a', ":a" from t     | select ':a', 'it''s :a', ":a" from t    |
            select E'\\':a', :a                      | select E'\\':a', ?                      | a
            select '\\', :a                          | select '\\', ?                          | a
            select now()::date, :a::int              | select now()::date, ?::int              | a
            do $$ begin :a; end $$                   | do $$ begin :a; end $$                  |
            select $q$ :a $$ $q$, :b                 | select $q$ :a $$ $q$, ?                 | b
            select /* :a /* :b */ :c */ :d           | select /* :a /* :b */ :c */ ?           | d
            select 1 -- :a                           | select 1 -- :a                          |
            select a[1:2], a[x:y], f(b := 1)         | select a[1:2], a[x:y], f(b := 1)        |
            select doc ? 'key' and doc ?& :keys      | select doc ?? 'key' and doc ??& ?       | keys
            select 'open                             | select 'open                            |
            """)
    void findsParameters(String sql, String text, String params) {
        NamedSql parsed = NamedSql.parse(sql);
        assertThat(parsed.text()).isEqualTo(text);
        assertThat(String.join(" ", parsed.params())).isEqualTo(params == null ? "" : params);
        assertThat(parsed.control()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "commit",
                " /* so */ Rollback ",
                "-- so\nBEGIN; select 1",
                "insert into t values (1); commit; insert into t values (2)",
                "select 1;\n end",
                "start  transaction",
                "prepare transaction 'a'"
            })
    void findsWhatWouldEndTheTransaction(String sql) {
        assertThat(NamedSql.parse(sql).control()).isPresent();
    }

    @Test
    void aWordInAnotherPlaceEndsNothing() {
        assertThat(NamedSql.parse("select 'a; commit' as commit from t").control())
                .isEmpty();
        assertThat(NamedSql.parse("create function f() returns int begin atomic select 1; end")
                        .control())
                .isEmpty();
        assertThat(NamedSql.parse("select case when a then b end").control()).isEmpty();
        assertThat(NamedSql.parse("comment on table t is 'x'; committed()").control())
                .isEmpty();
    }
}
