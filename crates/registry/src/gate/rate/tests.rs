use super::{Limit, WINDOW_MS, Window};

/// Limit, burst (zero for none), time, and the seconds to wait; `None` where the call goes through.
type Call = (u32, u32, i64, Option<i64>);

const CALLS: &[Call] = &[
    (2, 0, 0, None),
    (2, 0, 500, None),
    (2, 0, 500, Some(60)),
    (2, 0, 59_001, Some(1)),
    (2, 0, 59_999, Some(1)),
    (2, 0, 60_000, None),
    (2, 0, 60_000, Some(1)),
    (2, 0, 60_500, None),
    // The clock steps back.
    (2, 0, 0, Some(60)),
    // The limit is lowered, then raised; what was counted stays counted.
    (1, 0, 60_600, Some(60)),
    (3, 0, 60_600, None),
    (3, 0, 60_600, Some(60)),
    (3, 0, 200_000, None),
];

/// Six calls in a minute owe ten seconds each.
const BURSTS: &[Call] = &[
    (6, 2, 0, None),
    (6, 2, 0, None),
    (6, 2, 0, Some(10)),
    (6, 2, 9_999, Some(1)),
    (6, 2, 10_000, None),
    (6, 2, 10_000, Some(10)),
    (6, 2, 19_001, Some(1)),
    (6, 2, 35_000, None),
    (6, 2, 35_000, None),
    // The clock steps back.
    (6, 2, 0, Some(10)),
    // Five calls are within the minute, and two are owed.
    (6, 3, 35_000, None),
    (6, 3, 35_000, Some(25)),
    (6, 9, 35_000, Some(25)),
    // More of them may come, and as many at once: what was owed stays owed.
    (60, 3, 35_000, Some(1)),
    (60, 3, 36_000, None),
    // Fewer may come: sixty seconds for each that is owed, and never more than a minute.
    (1, 1, 36_000, Some(60)),
    (60, 1, 96_000, None),
    (60, 1, 96_999, Some(1)),
    (60, 1, 97_000, None),
];

#[test]
fn exact() {
    for calls in [CALLS, BURSTS] {
        let mut window = Window::default();
        for (index, (per_minute, burst, now, wait)) in calls.iter().enumerate() {
            let limit = Limit { per_minute: *per_minute, burst: Some(*burst).filter(|it| *it > 0) };
            let asked = window.check(limit, *now);
            let found = window.take(limit, *now);
            assert_eq!(asked, found, "call {index}");
            let found = found.err().map(|it| it.details["retry_after"].as_i64());
            assert_eq!(found, wait.map(Some), "call {index}");
        }
        let last = calls.last().unwrap().2;
        assert!(!window.is_idle(last + 59_999) && window.is_idle(last + 60_000));
    }
}

#[test]
fn zero_lets_none_through() {
    for burst in [None, Some(1), Some(5)] {
        let refusal = Window::default().take(Limit { per_minute: 0, burst }, 0).unwrap_err();
        assert!(refusal.details["retry_after"].is_null());
    }
}

/// Whether these calls, oldest first, keep to the limit, as its words say.
fn keeps(limit: Limit, calls: &[i64]) -> bool {
    let rate = i64::from(limit.per_minute);
    let most = usize::try_from(limit.per_minute).unwrap();
    let in_minutes = calls.windows(most + 1).all(|it| it[most] - it[0] >= WINDOW_MS);
    let at_once =
        |burst: u32| {
            calls.iter().enumerate().all(|(first, start)| {
                calls.iter().skip(first).zip(1..).all(|(end, count)| {
                    (count - i64::from(burst)) * WINDOW_MS <= rate * (end - start)
                })
            })
        };
    in_minutes && limit.burst.is_none_or(at_once)
}

/// Some calls come at once, most a little later, a few after a pause.
fn pause(random: &mut u64) -> i64 {
    *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    match (*random >> 60, i64::try_from((*random >> 50) & 0xfff).unwrap()) {
        (0..=2, _) => 0,
        (3..=14, pause) => pause,
        (_, pause) => pause * 20,
    }
}

/// Neither more nor fewer go through than may, and what a refusal says is neither too much nor too
/// little, whenever calls arrive.
#[test]
fn the_wait_is_exact_to_the_second() {
    let mut random: u64 = 7;
    for (per_minute, burst) in
        [(1, None), (3, None), (8, None), (8, Some(1)), (8, Some(3)), (7, Some(7)), (3, Some(9))]
    {
        let limit = Limit { per_minute, burst };
        let (mut window, mut now, mut passed, mut refused) =
            (Window::default(), 1_000_000, Vec::new(), 0);
        for _ in 0..1000 {
            now += pause(&mut random);
            // What was let through two minutes ago is kept to anyhow.
            let recent = passed.iter().copied().filter(|it| now - it <= 2 * WINDOW_MS);
            let with: Vec<i64> = recent.chain([now]).collect();
            assert_eq!(window.check(limit, now).is_ok(), keeps(limit, &with), "{limit:?} {now}");
            let Err(refusal) = window.take(limit, now) else {
                passed.push(now);
                continue;
            };
            refused += 1;
            let wait = refusal.details["retry_after"].as_i64().unwrap();
            let later = |seconds: i64| window.check(limit, now + seconds * 1000);
            assert!(wait >= 1 && later(wait).is_ok(), "{limit:?} at {now}: {wait}");
            assert!(wait == 1 || later(wait - 1).is_err(), "{limit:?} at {now}: {wait}");
        }
        assert!(passed.len() > 20 && refused > 20, "{} {refused}", passed.len());
        assert!(keeps(limit, &passed));
    }
}

/// A call that is taken back leaves no trace.
#[test]
fn what_is_given_back_was_never_there() {
    let mut random: u64 = 11;
    let limit = Limit { per_minute: 20, burst: Some(4) };
    for _ in 0..500 {
        let (mut with, mut without, mut now) = (Window::default(), Window::default(), 1_000_000);
        let mut times = Vec::new();
        while times.len() < 12 {
            now += pause(&mut random) + 1;
            if with.take(limit, now).is_ok() {
                times.push(now);
            }
        }
        let gone = times.remove(usize::try_from(random >> 61).unwrap() + 4);
        with.give_back(gone);
        for time in times {
            without.take(limit, time).unwrap();
        }
        with.trim(now);
        without.trim(now);
        assert_eq!(with, without);
    }
}

#[test]
fn room_is_given_back_as_well() {
    let limit = Limit { per_minute: 100_000, burst: None };
    let mut window = Window::default();
    for number in 0..100_000 {
        assert!(window.take(limit, number / 10).is_ok());
    }
    assert!(window.take(limit, 10_000).is_err());
    window.trim(69_998);
    assert!((1..=20).contains(&window.0.len()) && window.0.capacity() <= 64);
    assert!(window.take(limit, 69_998).is_ok());
}
